//! Languages of code blocks: the displayed name, the names that authors use, and the parser of
//! each.

use hl_lite::Lang;

/// How to parse code in a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    Lexed(Lang),
    /// Parsed by the grammar with this name.
    Grammar(&'static str),
    Diff,
    PowerShell,
}

/// A language's displayed name and its syntax.
#[derive(Debug, Clone, Copy)]
pub struct Language {
    pub label: &'static str,
    pub syntax: Syntax,
}

/// Displayed name, names that authors use (separated by spaces) and syntax of each language.
const LANGUAGES: [(&str, &str, Syntax); 85] = {
    use Syntax::{Diff, Grammar, Lexed, PowerShell};
    [
        ("Shell", "bash sh shell zsh ksh", Lexed(Lang::Bash)),
        ("Console", "console terminal sh-session shell-session shellsession", Lexed(Lang::Bash)),
        ("CSS", "css", Lexed(Lang::Css)),
        ("Diff", "diff patch", Diff),
        ("Dockerfile", "dockerfile docker containerfile", Lexed(Lang::Dockerfile)),
        ("HTML", "html htm xhtml", Lexed(Lang::Html)),
        ("Handlebars", "handlebars hbs", Lexed(Lang::Html)),
        ("Mustache", "mustache", Lexed(Lang::Html)),
        ("SVG", "svg", Lexed(Lang::Html)),
        ("XML", "xml atom plist rss xsl xsd", Lexed(Lang::Html)),
        ("JavaScript", "javascript js mjs cjs node ecmascript", Lexed(Lang::JavaScript)),
        ("JSX", "jsx", Lexed(Lang::JavaScript)),
        ("JSON", "json jsonc json5 jsonl ndjson geojson webmanifest", Lexed(Lang::Json)),
        ("Markdown", "markdown md mdx", Lexed(Lang::Markdown)),
        ("Python", "python py py3 python3", Lexed(Lang::Python)),
        ("Rust", "rust rs", Lexed(Lang::Rust)),
        ("TOML", "toml", Lexed(Lang::Toml)),
        ("TypeScript", "typescript ts mts cts", Lexed(Lang::TypeScript)),
        ("TSX", "tsx", Lexed(Lang::TypeScript)),
        ("YAML", "yaml yml", Lexed(Lang::Yaml)),
        ("Ada", "ada adb ads", Grammar("Ada")),
        ("Apache", "apache apacheconf htaccess", Grammar("Apache Conf")),
        ("AppleScript", "applescript", Grammar("AppleScript")),
        ("AsciiDoc", "asciidoc adoc", Grammar("AsciiDoc (Asciidoctor)")),
        ("Assembly", "asm assembly nasm", Grammar("x86_64 Assembly")),
        ("AWK", "awk", Grammar("AWK")),
        ("Batch", "batch bat cmd", Grammar("Batch File")),
        ("BibTeX", "bibtex bib", Grammar("BibTeX")),
        ("C", "c h", Grammar("C")),
        ("C++", "c++ cpp cc cxx hpp hxx", Grammar("C++")),
        ("C#", "c# cs csharp", Grammar("C#")),
        ("Clojure", "clojure clj cljs cljc edn", Grammar("Clojure")),
        ("CMake", "cmake", Grammar("CMake")),
        ("CoffeeScript", "coffeescript coffee", Grammar("CoffeeScript")),
        ("Crystal", "crystal cr", Grammar("Crystal")),
        ("D", "d dlang", Grammar("D")),
        ("Dart", "dart", Grammar("Dart")),
        ("Elixir", "elixir ex exs", Grammar("Elixir")),
        ("Elm", "elm", Grammar("Elm")),
        ("Erlang", "erlang erl", Grammar("Erlang")),
        ("F#", "f# fs fsharp fsx", Grammar("F#")),
        ("Fish", "fish", Grammar("Fish")),
        ("Fortran", "fortran f90 f95", Grammar("Fortran (Modern)")),
        ("GDScript", "gdscript gd", Grammar("GDScript (Godot Engine)")),
        ("GLSL", "glsl", Grammar("GLSL")),
        ("Go", "go golang", Grammar("Go")),
        ("GraphQL", "graphql gql", Grammar("GraphQL")),
        ("Groovy", "groovy gradle", Grammar("Groovy")),
        ("Haskell", "haskell hs", Grammar("Haskell")),
        ("HCL", "hcl terraform tf tfvars", Grammar("Terraform")),
        ("HTTP", "http https", Grammar("HTTP Request and Response")),
        ("INI", "ini cfg editorconfig", Grammar("INI")),
        ("Java", "java", Grammar("Java")),
        ("Jinja", "jinja jinja2 j2 django", Grammar("HTML (Jinja2)")),
        ("jq", "jq", Grammar("JQ")),
        ("Julia", "julia jl", Grammar("Julia")),
        ("Kotlin", "kotlin kt kts", Grammar("Kotlin")),
        ("LaTeX", "latex tex", Grammar("LaTeX")),
        ("Less", "less", Grammar("Less")),
        ("Lisp", "lisp scheme elisp emacs-lisp common-lisp", Grammar("Lisp")),
        ("Lua", "lua", Grammar("Lua")),
        ("Makefile", "makefile make mk", Grammar("Makefile")),
        ("MATLAB", "matlab octave", Grammar("MATLAB")),
        ("nginx", "nginx", Grammar("nginx")),
        ("Nim", "nim", Grammar("Nim")),
        ("Nix", "nix", Grammar("Nix")),
        ("Objective-C", "objective-c objectivec objc", Grammar("Objective-C")),
        ("OCaml", "ocaml ml", Grammar("OCaml")),
        ("Pascal", "pascal delphi", Grammar("Pascal")),
        ("Perl", "perl pl", Grammar("Perl")),
        ("PHP", "php", Grammar("PHP Source")),
        ("PowerShell", "powershell pwsh ps1", PowerShell),
        ("Properties", "properties", Grammar("Java Properties")),
        ("Protocol Buffers", "protobuf proto", Grammar("Protocol Buffer")),
        ("R", "r", Grammar("R")),
        ("Ruby", "ruby rb", Grammar("Ruby")),
        ("Scala", "scala sbt", Grammar("Scala")),
        ("SCSS", "scss sass", Grammar("SCSS")),
        ("Solidity", "solidity sol", Grammar("Solidity")),
        ("SQL", "sql mysql postgres postgresql psql sqlite", Grammar("SQL")),
        ("Svelte", "svelte", Grammar("Svelte")),
        ("Swift", "swift", Grammar("Swift")),
        ("Vim", "vim viml vimscript", Grammar("VimL")),
        ("Vue", "vue", Grammar("Vue Component")),
        ("Zig", "zig", Grammar("Zig")),
    ]
};

impl Language {
    /// Looks up a language by a name that authors use, ignoring case.
    pub fn by_name(name: &str) -> Option<Self> {
        let is_named = |names: &str| names.split(' ').any(|known| known.eq_ignore_ascii_case(name));
        let (label, _, syntax) = LANGUAGES.iter().find(|(_, names, _)| is_named(names))?;
        Some(Self { label, syntax: *syntax })
    }

    /// Returns the names of all grammars used here.
    #[cfg(test)]
    pub fn grammars() -> impl Iterator<Item = &'static str> {
        LANGUAGES.iter().filter_map(|(_, _, syntax)| match syntax {
            Syntax::Grammar(name) => Some(*name),
            _ => None,
        })
    }
}

/// Returns the displayed names of all languages.
pub fn labels() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|(label, ..)| *label)
}
