import type { RendererRule } from 'markdown-it'

// Common names of languages that differ from the language's name in lower case.
const languages: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    Bash: 'bash sh shell zsh',
    C: 'c h',
    'C#': 'csharp c# cs',
    'C++': 'c++ cpp cxx hpp',
    CSS: 'css',
    Clojure: 'clojure clj',
    Diff: 'diff patch udiff',
    Docker: 'docker dockerfile',
    Elixir: 'elixir ex exs',
    Erlang: 'erlang erl',
    'F#': 'fsharp f#',
    Go: 'go golang',
    GraphQL: 'graphql gql',
    HTML: 'html htm',
    Haskell: 'haskell hs',
    INI: 'ini cfg conf',
    JSON: 'json',
    Java: 'java',
    JavaScript: 'javascript js mjs cjs',
    Kotlin: 'kotlin kt',
    LaTeX: 'latex tex',
    Lua: 'lua',
    Makefile: 'makefile make',
    Markdown: 'markdown md',
    OCaml: 'ocaml ml',
    PHP: 'php',
    Perl: 'perl pl',
    PowerShell: 'powershell ps1 pwsh',
    Python: 'python py python3 py3',
    R: 'r',
    Ruby: 'ruby rb',
    Rust: 'rust rs',
    SQL: 'sql',
    Scala: 'scala',
    Swift: 'swift',
    TOML: 'toml',
    'Text only': 'text txt plain',
    TypeScript: 'typescript ts',
    XML: 'xml',
    YAML: 'yaml yml',
  }).flatMap(([language, names]) => names.split(' ').map(name => [name, language])),
)

/** Renderer rule: a code block or, with the info word `math`, a formula. */
export const codeBlock: RendererRule = (tokens, index, _options, _env, renderer) => {
  const { info = '', content = '' } = tokens[index] ?? {}
  const text = renderer.rules.text?.([{ content } as (typeof tokens)[number]], 0, _options, _env, renderer) ?? ''
  if (/^(?:math|tex|latex-math)$/i.test(info)) return `<p><span class="katex-text">${text.trimEnd()}</span></p>\n`
  const name = Object.hasOwn(languages, info.toLowerCase()) ? languages[info.toLowerCase()] : info
  const attrs = name ? renderer.renderAttrs({ attrs: [['data-code-language', name]] }) : ''
  return `<div class="codehilite"${attrs}><pre><span></span><code>${text}</code></pre></div>\n`
}
