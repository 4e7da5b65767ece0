//! A small chunk stage's output, made of nothing, and its way to the disk and back.

use std::collections::BTreeSet;

use super::*;
use crate::text::RepoPath;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct World {
    pub files: Vec<File>,
    pub chunks: Vec<Chunk>,
    pub symbols: Vec<Symbol>,
    pub references: Vec<References>,
    pub items: Vec<Item>,
    pub problems: Vec<Problem>,
}

impl World {
    pub fn of_files(count: u32) -> World {
        let mut world = World::default();
        (0..count).for_each(|number| world.add_file(number));
        world
    }

    /// Two chunks, a symbol, references of several roles, an item and a problem.
    fn add_file(&mut self, number: u32) {
        let path = path(number);
        self.files.push(file(&path));
        for start in [0, 10] {
            self.chunks.push(chunk(&path, number, start));
        }
        let uid = uid(number, 0);
        self.symbols.push(symbol(&path, &uid));
        self.references.push(references(&path, &uid, 3));
        self.items.push(item(&path, uid));
        self.problems.push(Problem::new(&path, ProblemCode::Syntax, "a brace is missing"));
    }

    pub fn without_file(&self, number: u32) -> World {
        let gone = path(number);
        let mut world = self.clone();
        world.files.retain(|record| record.file_rel_path != gone);
        world.chunks.retain(|record| record.file_rel_path != gone);
        world.symbols.retain(|record| record.file_rel_path != gone);
        world.references.retain(|record| record.file_rel_path != gone);
        world.items.retain(|record| record.file_rel_path != gone);
        world.problems.retain(|record| record.file_rel_path != gone);
        world
    }

    /// In parts of so many files.
    pub fn write(&self, folder: &Path, disk: &Disk, part_files: usize) -> Result<Manifest, StoreError> {
        let sizes: Vec<usize> = self.files.chunks(part_files).map(<[File]>::len).collect();
        self.write_parts(folder, disk, &sizes)
    }

    pub fn write_parts(&self, folder: &Path, disk: &Disk, sizes: &[usize]) -> Result<Manifest, StoreError> {
        let recorder = Recorder::open(folder, disk.clone(), WhenLocked::Refuse)?;
        let artifacts = vec![
            entry(&recorder, &self.files, |record| &record.file_rel_path, sizes, &self.files)?,
            entry(&recorder, &self.chunks, |record| &record.file_rel_path, sizes, &self.files)?,
            entry(&recorder, &self.symbols, |record| &record.file_rel_path, sizes, &self.files)?,
            entry(&recorder, &self.references, |record| &record.file_rel_path, sizes, &self.files)?,
            entry(&recorder, &self.items, |record| &record.file_rel_path, sizes, &self.files)?,
            entry(&recorder, &self.problems, |record| &record.file_rel_path, sizes, &self.files)?,
        ];
        let write =
            |(number, files): (usize, &[File])| recorder.write_accelerator("terms", number as u32, &terms(files));
        let parts = parts_of(&self.files, sizes).enumerate().map(write).collect::<Result<_, _>>()?;
        let accelerators = vec![AcceleratorEntry { name: "terms".into(), version: 1, parts }];
        recorder.commit(Draft { accelerators, ..draft(artifacts, "test") })
    }

    /// In two halves, in the order in which the records stand.
    pub fn write_unsorted(&self, folder: &Path) -> Result<Manifest, StoreError> {
        let recorder = Recorder::open(folder, Disk::real(), WhenLocked::Refuse)?;
        let artifacts = vec![
            halves(&recorder, &self.files)?,
            halves(&recorder, &self.chunks)?,
            halves(&recorder, &self.symbols)?,
            halves(&recorder, &self.references)?,
            halves(&recorder, &self.items)?,
            halves(&recorder, &self.problems)?,
        ];
        recorder.commit(draft(artifacts, "unsorted"))
    }

    pub fn read(index: &Index) -> World {
        World {
            files: all(index),
            chunks: all(index),
            symbols: all(index),
            references: all(index),
            items: all(index),
            problems: all(index),
        }
    }
}

pub fn draft(artifacts: Vec<ArtifactEntry>, setting: &str) -> Draft {
    Draft {
        stage: "chunk".into(),
        ruleset_version: 1,
        source_date: "1970-01-01T00:00:00Z".into(),
        settings: json!({"setting": setting}),
        inputs: vec![],
        artifacts,
        accelerators: vec![],
    }
}

/// An accelerator as simple as can be: the paths of a part's files.
pub const TERMS: AcceleratorCheck = AcceleratorCheck { name: "terms", version: 1, build: build_terms };

fn build_terms(index: &Index, each: PartSink<'_>) -> Result<(), Fault> {
    for part in &index.artifact(File::NAME)?.parts {
        let files: Vec<File> = index.records_of(std::slice::from_ref(part)).collect::<Result<_, _>>()?;
        each(part.index(), &terms(&files))?;
    }
    Ok(())
}

fn terms(files: &[File]) -> Vec<u8> {
    files.iter().flat_map(|file| [file.file_rel_path.as_str().as_bytes(), &[0]].concat()).collect()
}

fn parts_of<'f>(files: &'f [File], sizes: &[usize]) -> impl Iterator<Item = &'f [File]> {
    sizes.iter().scan(files, |rest, size| rest.split_off(..*size))
}

pub fn path(number: u32) -> RepoPath {
    RepoPath::try_from(format!("src/file{number:03}.rs")).unwrap()
}

pub fn uid(number: u32, start: u32) -> ChunkUid {
    ChunkUid::from_hash(u64::from(number) << 32 | u64::from(start))
}

pub fn chunk(path: &RepoPath, number: u32, start: u32) -> Chunk {
    Chunk {
        audience: Audience::default(),
        derived: false,
        blank_after: 0,
        chunk_uid: uid(number, start),
        file_rel_path: path.clone(),
        language_id: "rust".into(),
        kind: Kind::Function,
        name: None,
        qualified_name: None,
        symbol_id: None,
        range: Range { start, end: start + 5 },
        byte_range: ByteRange { start, end: start + 5 },
        lines: Lines { start: 1, end: 1 },
        shown: None,
        part: None,
        signature: None,
        text: format!("fn f{start}() {{ \"日本\" }}"),
        salt: None,
    }
}

pub fn item(path: &RepoPath, uid: ChunkUid) -> Item {
    let node_id = NodeId::from(&SymbolId::of_file(path));
    Item { chunk_uid: Some(uid), title: "a note".into(), ..Item::new("page", node_id, path) }
}

pub fn references(path: &RepoPath, uid: &ChunkUid, start: u32) -> References {
    let roles = [Role::Call, Role::Use, Role::Type, Role::Import];
    let references = roles.map(|role| reference(role, "name", start)).to_vec();
    References {
        audience: Audience::default(),
        chunk_uid: *uid,
        file_rel_path: path.clone(),
        language_id: "rust".into(),
        references,
        start: 0,
        symbol_id: None,
    }
}

fn reference(role: Role, name: &str, start: u32) -> Reference {
    Reference {
        role,
        name: name.into(),
        receiver: None,
        receiver_type: None,
        arguments: None,
        binding: None,
        flow: None,
        sites: vec![Site { start, end: start + 4, line: 1, column: start }],
    }
}

/// A folder in memory where there is one: these tests sync files by the thousand.
pub fn scratch() -> TempDir {
    TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).unwrap()
}

/// Every name in a folder.
pub fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// A folder of its own with the same files.
pub fn copy_of(folder: &Path) -> TempDir {
    let copy = scratch();
    for name in names(folder) {
        fs::copy(folder.join(&name), copy.path().join(&name)).unwrap();
    }
    copy
}

fn all<A: Artifact>(index: &Index) -> Vec<A> {
    index.records().unwrap().map(Result::unwrap).collect()
}

/// One artifact, cut where the files are cut.
fn entry<A: Artifact>(
    recorder: &Recorder,
    records: &[A],
    path: impl Fn(&A) -> &RepoPath,
    sizes: &[usize],
    files: &[File],
) -> Result<ArtifactEntry, StoreError> {
    let mut parts = Vec::new();
    let (mut file, mut start) = (0, 0);
    for (number, size) in sizes.iter().enumerate() {
        file += size;
        let end = records.partition_point(|record| *path(record) <= files[file - 1].file_rel_path);
        if let Some(batch) = Batch::of(&records[start..end]) {
            parts.push(recorder.write_piece(A::NAME, number as u32, &batch)?);
        }
        start = end;
    }
    Ok(ArtifactEntry::of::<A>(parts))
}

fn halves<A: Artifact>(recorder: &Recorder, records: &[A]) -> Result<ArtifactEntry, StoreError> {
    let (first, second) = records.split_at(records.len() / 2);
    let part = |(number, half): (u32, &[A])| {
        let mut lines = Vec::new();
        half.iter().for_each(|record| write_line(record, &mut lines));
        let batch = Batch::of_lines(ArtifactType::named(A::NAME).unwrap(), lines).unwrap().unwrap();
        recorder.write_piece(A::NAME, number, &batch)
    };
    Ok(ArtifactEntry::of::<A>([(0, first), (1, second)].into_iter().map(part).collect::<Result<_, _>>()?))
}

fn file(path: &RepoPath) -> File {
    File {
        audience: Audience::default(),
        source_kind: None,
        file_rel_path: path.clone(),
        bytes: 40,
        digest: Some(Digest::blake3(path.as_str().as_bytes())),
        language_id: Some("rust".into()),
        encoding: None,
        line_ending: None,
        lines: 1,
        analysis: Analysis::Parsed,
        marks: vec![],
        package: None,
        chunks: vec![],
        symbols: 1,
        references: 4,
    }
}

fn symbol(path: &RepoPath, uid: &ChunkUid) -> Symbol {
    Symbol {
        audience: Audience::default(),
        symbol_id: SymbolId::built_in(&format!("`{path}`/f0().")),
        file_rel_path: path.clone(),
        language_id: "rust".into(),
        kind: Kind::Function,
        name: "f0".into(),
        qualified_name: "f0".into(),
        chunk_uid: *uid,
        range: Range { start: 0, end: 5 },
        byte_range: ByteRange { start: 0, end: 5 },
        lines: Lines { start: 1, end: 1 },
        site: Site { start: 3, end: 5, line: 1, column: 3 },
        exported: false,
        signature: None,
        doc: None,
        value_type: None,
        parameters: vec![],
    }
}
