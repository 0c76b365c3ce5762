// Name, the words after the fence that mean it, and the grammar of highlight.js if there is one. The names are those that
// clients compare with code playgrounds.
const table = `
  Bash | bash sh zsh shell ksh | bash
  Bash Session | console shell-session | shell
  PowerShell | powershell pwsh ps1 posh | powershell
  Batchfile | bat batch dosbatch | dos
  C | c | c
  C++ | cpp c++ | cpp
  C# | csharp c# cs | csharp
  F# | fsharp f# | fsharp
  Objective-C | objective-c objc | objectivec
  Java | java | java
  Kotlin | kotlin | kotlin
  Scala | scala | scala
  Groovy | groovy | groovy
  Clojure | clojure clj | clojure
  Go | go golang | go
  Rust | rust rs | rust
  Swift | swift | swift
  Dart | dart | dart
  Nimrod | nim | nim
  Julia | julia jl | julia
  Python | python py python3 py3 sage bazel | python
  Python 2.x | python2 py2 | python
  Python console session | pycon | python-repl
  Ruby | ruby rb | ruby
  Perl | perl pl | perl
  PHP | php | php
  Lua | lua | lua
  S | r s splus | r
  Matlab | matlab | matlab
  Delphi | pascal delphi | delphi
  VB.net | vbnet | vbnet
  JavaScript | js javascript | javascript
  TypeScript | ts typescript | typescript
  JSX | jsx react | javascript
  TSX | tsx | typescript
  Vue | vue | xml
  HTML | html | xml
  XML | xml | xml
  CSS | css | css
  SCSS | scss | scss
  LessCss | less | less
  JSON | json | json
  JSON5 | json5 | json
  YAML | yaml yml | yaml
  TOML | toml | ini
  INI | ini cfg dosini | ini
  SQL | sql | sql
  MySQL | mysql | sql
  PostgreSQL console (psql) | psql | pgsql
  GraphQL | graphql | graphql
  Protocol Buffer | protobuf proto | protobuf
  Terraform | terraform tf hcl
  Docker | docker dockerfile | dockerfile
  Nginx configuration file | nginx | nginx
  ApacheConf | apache apacheconf | apache
  Makefile | make makefile mf | makefile
  CMake | cmake | cmake
  Diff | diff udiff | diff
  Markdown | markdown md | markdown
  reStructuredText | rst rest restructuredtext
  TeX | tex latex | latex
  Haskell | haskell hs | haskell
  OCaml | ocaml | ocaml
  Erlang | erlang | erlang
  Elixir | elixir ex exs | elixir
  Common Lisp | lisp cl | lisp
  Scheme | scheme scm | scheme
  VimL | vim | vim
  GAS | gas asm | x86asm
  verilog | verilog v | verilog
  vhdl | vhdl | vhdl
  HTTP | http | http
  Text output | output
  Text only | text
  h | h | c
  kt | kt | kotlin
  ml | ml | ocaml
  fs | fs | fsharp
  patch | patch | diff
  jsonc | jsonc | json
  svelte | svelte | xml
`

interface CodeLanguage {
  readonly name: string
  /** Undefined: the code has no highlighting. */
  readonly grammar: string | undefined
}

const languages: ReadonlyMap<string, CodeLanguage> = new Map(
  table
    .trim()
    .split('\n')
    .flatMap(line => {
      const [name = '', words = '', grammar] = line.split('|').map(cell => cell.trim())
      return words.split(' ').map((word): [string, CodeLanguage] => [word, { name, grammar }])
    }),
)

/** The grammars of highlight.js that the languages need. */
export const grammars: readonly string[] = [...new Set([...languages.values()].flatMap(({ grammar }) => grammar ?? []))]

/** Every word that names a language. */
export const languageWords: readonly string[] = [...languages.keys()]

/** The language that a word after a fence means; an unknown word is the name of its language. */
export function codeLanguage(word: string): CodeLanguage {
  const lower = word.toLowerCase()
  return languages.get(lower) ?? { name: lower, grammar: undefined }
}
