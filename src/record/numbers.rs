//! Positions in the lists of one index. Each list has a type of its own, so that they cannot be mixed up.

macro_rules! numbers {
    ($($(#[$meta:meta])* $Number:ident,)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $Number(pub u32);

        impl $Number {
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

numbers! {
    /// The position of a block among the blocks of an index.
    BlockNo,
    /// The position of a chunk in the order of `chunk_meta`.
    ChunkNo,
    /// The position of a file in the order of paths.
    FileNo,
    /// The position of a note among the notes of an index.
    NoteNo,
    /// The position of a node in the order of node ids.
    NodeNo,
}
