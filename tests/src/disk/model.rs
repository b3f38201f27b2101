//! Files and folders with what of them is durable and what is not.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::record::Change;
use super::survival::{Judge, Survival};
use crate::seed::Dice;

/// The disk below one root folder, which itself is durable.
#[derive(Debug)]
pub struct Disk {
    root: String,
    nodes: Vec<Node>,
    /// Which node an inode means now; numbers are used again.
    inodes: HashMap<u64, usize>,
    /// Changes played so far.
    position: usize,
    /// Syncs of paths that end so do nothing: a disk that lies.
    deaf: Vec<String>,
    dice: Dice,
}

#[derive(Debug)]
enum Node {
    File(File),
    Folder(Folder),
}

#[derive(Debug, Default)]
struct File {
    path: String,
    /// What the program sees.
    live: Vec<u8>,
    durable: Vec<u8>,
    pending: Vec<Edit>,
}

#[derive(Clone, Debug)]
struct Edit {
    position: usize,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Write { offset: usize, data: Arc<[u8]> },
    Resize(usize),
}

#[derive(Debug, Default)]
struct Folder {
    path: String,
    live: BTreeMap<String, usize>,
    durable: BTreeMap<String, usize>,
    pending: Vec<Naming>,
}

/// Names that change together.
#[derive(Debug)]
struct Naming {
    position: usize,
    entries: Vec<(String, Option<usize>)>,
}

/// What a disk holds: paths below the root; `None` is a folder.
pub type Tree = BTreeMap<PathBuf, Option<Vec<u8>>>;

impl Disk {
    /// An empty disk at `root`. Syncs of paths that end in one of `deaf` do nothing.
    #[must_use]
    pub fn new(root: &Path, deaf: &[&str], seed: u64) -> Self {
        let root = root.to_string_lossy().into_owned();
        let top = Node::Folder(Folder { path: root.clone(), ..Folder::default() });
        let deaf = deaf.iter().map(|part| (*part).to_owned()).collect();
        Self { root, nodes: vec![top], inodes: HashMap::new(), position: 0, deaf, dice: Dice::new(seed) }
    }

    /// Plays one change.
    ///
    /// # Panics
    /// The record names something that it never made.
    pub fn play(&mut self, change: &Change) {
        match change {
            Change::Seen { inode, path } => self.see(*inode, path),
            Change::Created { inode, path } => self.create(*inode, path),
            Change::Written { inode, offset, data } => {
                let offset = usize::try_from(*offset).expect("files are small here");
                self.edit(*inode, What::Write { offset, data: Arc::clone(data) });
            }
            Change::Truncated { inode, size } => {
                self.edit(*inode, What::Resize(usize::try_from(*size).expect("files are small here")));
            }
            Change::Synced { inode } => self.sync(*inode),
            Change::SyncFailed { inode } => self.fail_to_sync(*inode),
            Change::Renamed { from, to } => self.rename(from, to),
            Change::Unlinked { path } | Change::RemovedFolder { path } => self.name(path, None),
            Change::MadeFolder { path } => {
                let node = self.add(Node::Folder(Folder { path: path.clone(), ..Folder::default() }));
                self.name(path, Some(node));
            }
            Change::Answered { .. } => {}
        }
        self.position += 1;
    }

    fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn see(&mut self, inode: u64, path: &str) {
        let node = self.find(path).unwrap_or_else(|| panic!("{path} was there before anybody made it"));
        self.inodes.insert(inode, node);
    }

    fn create(&mut self, inode: u64, path: &str) {
        let node = self.add(Node::File(File { path: path.to_owned(), ..File::default() }));
        self.inodes.insert(inode, node);
        self.name(path, Some(node));
    }

    /// The node that the running system finds at `path`.
    fn find(&self, path: &str) -> Option<usize> {
        let below = path.strip_prefix(&self.root)?;
        below.split('/').filter(|part| !part.is_empty()).try_fold(0, |node, part| match &self.nodes[node] {
            Node::Folder(folder) => folder.live.get(part).copied(),
            Node::File(_) => None,
        })
    }

    fn folder_of<'p>(&mut self, path: &'p str) -> (&mut Folder, &'p str) {
        let (parent, name) = path.rsplit_once('/').expect("a path has a folder");
        let node = self.find(parent).unwrap_or_else(|| panic!("{parent} was never made"));
        match &mut self.nodes[node] {
            Node::Folder(folder) => (folder, name),
            Node::File(_) => panic!("{parent} is a file"),
        }
    }

    /// Gives or takes a name.
    fn name(&mut self, path: &str, node: Option<usize>) {
        let position = self.position;
        let (folder, name) = self.folder_of(path);
        folder.change(position, vec![(name.to_owned(), node)]);
    }

    fn rename(&mut self, from: &str, to: &str) {
        let node = self.find(from).unwrap_or_else(|| panic!("{from} was never made"));
        match &mut self.nodes[node] {
            Node::File(file) => to.clone_into(&mut file.path),
            Node::Folder(folder) => to.clone_into(&mut folder.path),
        }
        let position = self.position;
        let same = from.rsplit_once('/').map(|parts| parts.0) == to.rsplit_once('/').map(|parts| parts.0);
        if !same {
            self.name(from, None);
            return self.name(to, Some(node));
        }
        let old = from.rsplit_once('/').expect("a path has a folder").1.to_owned();
        let (folder, new) = self.folder_of(to);
        folder.change(position, vec![(old, None), (new.to_owned(), Some(node))]);
    }

    fn file(&mut self, inode: u64) -> Option<&mut File> {
        match self.inodes.get(&inode).map(|node| &mut self.nodes[*node]) {
            Some(Node::File(file)) => Some(file),
            Some(Node::Folder(_)) | None => None,
        }
    }

    fn edit(&mut self, inode: u64, what: What) {
        let position = self.position;
        let file = self.file(inode).expect("a file is opened before it is written");
        what.apply(&mut file.live);
        file.pending.push(Edit { position, what });
    }

    fn sync(&mut self, inode: u64) {
        let node = self.inodes[&inode];
        let path = self.nodes[node].path();
        if self.deaf.iter().any(|part| path.ends_with(part.as_str())) {
            return;
        }
        match &mut self.nodes[node] {
            Node::File(file) => {
                for edit in file.pending.drain(..) {
                    edit.what.apply(&mut file.durable);
                }
            }
            Node::Folder(folder) => {
                for naming in folder.pending.drain(..) {
                    apply(naming.entries, &mut folder.durable);
                }
            }
        }
    }

    /// After a sync that failed the system may call the lost pages clean, so that a later sync that succeeds says
    /// nothing about them: each block is on the disk now or never will be.
    fn fail_to_sync(&mut self, inode: u64) {
        let node = self.inodes[&inode];
        if let Node::File(file) = &mut self.nodes[node] {
            let mut judge = Judge { survival: Survival::Blocks(512), dice: &mut self.dice, lost_from: 0 };
            file.durable = file.after(&mut judge);
            file.pending.clear();
        }
    }

    /// What is found when the power goes now and comes back.
    pub fn after_power_cut(&self, survival: Survival, dice: &mut Dice) -> Tree {
        let unsynced = self.nodes.iter().flat_map(Node::unsynced);
        let (first, last) = unsynced.fold((self.position, 0), |(low, high), at| (low.min(at), high.max(at)));
        let lost_from = first + dice.below(last.saturating_sub(first) + 2);
        let mut tree = Tree::new();
        self.gather(0, Path::new(""), &mut tree, &mut Judge { survival, dice, lost_from });
        tree
    }

    fn gather(&self, node: usize, path: &Path, tree: &mut Tree, judge: &mut Judge<'_>) {
        match &self.nodes[node] {
            Node::File(file) => {
                tree.insert(path.to_owned(), Some(file.after(judge)));
            }
            Node::Folder(folder) => {
                tree.insert(path.to_owned(), None);
                for (name, child) in folder.after(judge) {
                    self.gather(child, &path.join(name), tree, judge);
                }
            }
        }
    }

    /// What the running system sees.
    #[must_use]
    pub fn live(&self) -> Tree {
        self.after_power_cut(Survival::Everything, &mut Dice::new(0))
    }
}

impl Node {
    fn path(&self) -> &str {
        match self {
            Self::File(file) => &file.path,
            Self::Folder(folder) => &folder.path,
        }
    }

    fn unsynced(&self) -> Vec<usize> {
        match self {
            Self::File(file) => file.pending.iter().map(|edit| edit.position).collect(),
            Self::Folder(folder) => folder.pending.iter().map(|naming| naming.position).collect(),
        }
    }
}

impl Folder {
    fn change(&mut self, position: usize, entries: Vec<(String, Option<usize>)>) {
        apply(entries.clone(), &mut self.live);
        self.pending.push(Naming { position, entries });
    }

    fn after(&self, judge: &mut Judge<'_>) -> BTreeMap<String, usize> {
        let mut names = self.durable.clone();
        for naming in &self.pending {
            if judge.keeps_name(naming.position) {
                apply(naming.entries.clone(), &mut names);
            }
        }
        names
    }
}

fn apply(entries: Vec<(String, Option<usize>)>, names: &mut BTreeMap<String, usize>) {
    for (name, node) in entries {
        match node {
            Some(node) => names.insert(name, node),
            None => names.remove(&name),
        };
    }
}

impl File {
    /// The content that survives.
    fn after(&self, judge: &mut Judge<'_>) -> Vec<u8> {
        let mut content = self.durable.clone();
        let block_bytes = judge.block_bytes();
        let mut kept: HashMap<usize, usize> = HashMap::new();
        let positions = self.positions_by_block(block_bytes);
        let mut done: HashMap<usize, usize> = HashMap::new();
        for edit in &self.pending {
            for (block, piece) in edit.what.pieces(block_bytes) {
                let of_block = &positions[&block];
                let limit = *kept.entry(block).or_insert_with(|| judge.writes_kept(of_block));
                let count = done.entry(block).or_insert(0);
                if *count < limit {
                    piece.apply(&mut content);
                }
                *count += 1;
            }
        }
        content
    }

    fn positions_by_block(&self, block_bytes: usize) -> HashMap<usize, Vec<usize>> {
        let mut positions: HashMap<usize, Vec<usize>> = HashMap::new();
        for edit in &self.pending {
            for (block, _) in edit.what.pieces(block_bytes) {
                positions.entry(block).or_default().push(edit.position);
            }
        }
        positions
    }
}

/// The length is kept or lost by itself, under this number.
const LENGTH: usize = usize::MAX;

impl What {
    fn apply(&self, content: &mut Vec<u8>) {
        match self {
            Self::Write { offset, data } => {
                let end = offset + data.len();
                if content.len() < end {
                    content.resize(end, 0);
                }
                content[*offset..end].copy_from_slice(data);
            }
            Self::Resize(size) => content.resize(*size, 0),
        }
    }

    /// The parts that are kept or lost each by itself, with the number of the block each lies in.
    fn pieces(&self, block_bytes: usize) -> Vec<(usize, Self)> {
        let (offset, data) = match self {
            Self::Resize(size) => return vec![(LENGTH, Self::Resize(*size))],
            Self::Write { offset, data } => (*offset, data),
        };
        if block_bytes == usize::MAX {
            return vec![(0, self.clone())];
        }
        let mut pieces = Vec::new();
        let mut from = 0;
        while from < data.len() {
            let block = (offset + from) / block_bytes;
            let to = data.len().min((block + 1) * block_bytes - offset);
            pieces.push((block, Self::Write { offset: offset + from, data: data[from..to].into() }));
            from = to;
        }
        pieces
    }
}

/// Writes a tree as a folder, which must not exist.
///
/// # Panics
/// It cannot be written.
pub fn write_tree(tree: &Tree, folder: &Path) {
    std::fs::create_dir_all(folder).expect("a folder can be made");
    for (path, content) in tree {
        let path = folder.join(path);
        match content {
            Some(bytes) => std::fs::write(path, bytes),
            None => std::fs::create_dir_all(path),
        }
        .expect("the disk's copy can be written");
    }
}
