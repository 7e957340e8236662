//! What Cargo cannot keep: the rules inside rooms, written in one place. Between rooms and crates the manifests keep the
//! order of `content/pages/architecture.md`.

/// The rules inside rooms.
pub struct Boundaries {
    /// The packages in `src/api/`, but for what they share.
    pub apis: &'static [Api],
    /// Types and packages that only some files of a folder may name.
    pub reserved: &'static [Reserved],
}

/// A type or a package that only some files of a folder may name.
pub struct Reserved {
    pub name: &'static str,
    /// The folder, with a slash at its end.
    pub folder: &'static str,
    /// Those of its files, and folders with a slash at their ends, that may name it.
    pub files: &'static [&'static str],
    pub remedy: &'static str,
}

/// A package in `src/api/`.
pub struct Api {
    pub name: &'static str,
    /// Whether the name is a word of APIs alone: then `src/server` has no such word at all.
    pub is_own_word: bool,
}

const fn api(name: &'static str, is_own_word: bool) -> Api {
    Api { name, is_own_word }
}

pub const BOUNDARIES: Boundaries = Boundaries {
    apis: &[
        // A page has content, and the site has calendars.
        api("content", false),
        api("account", true),
        api("calendar", false),
        api("hooks", true),
        // An editor is also a program that saves a file.
        api("editor", false),
        api("warehouse", true),
    ],
    reserved: &[
        // A document is a function of its inputs: who writes it cannot reach for more.
        Reserved {
            name: "Snapshot",
            folder: "src/render/",
            files: &["addresses/", "inputs/", "renderer.rs"],
            remedy: "give the document's inputs in src/render/inputs/ a field with what it reads",
        },
        // Documents are rendered in parallel and share values in locks that the first user computes (`OnceLock`). If
        // that computation waited for parallel work, its thread could start a document that needs the same value, and
        // would wait for itself.
        Reserved {
            name: "rayon",
            folder: "src/render/",
            files: &["addresses/routes.rs"],
            remedy: "compute the value on one thread, or before any document is rendered, like the route table",
        },
    ],
};
