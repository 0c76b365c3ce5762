import { codeOnly } from './code-only.js'
import { lineOf, type Source } from './sources.js'

/**
 * State that a module keeps for as long as the process runs: two servers in one process would share it, and nothing drops it. Parts are
 * built in app.ts and passed; what a worker remembers is in server/memory/. Tables that are built once and never written are no state if
 * their type says so (`ReadonlyMap`, `ReadonlySet`, `readonly`).
 */
const where = /^(?:server|shared)\//

// Programs: what they keep lasts as long as the run or the thread that they are.
const programs =
  /^server\/(?:main|admin\/main|text\/threads\/render-thread|images\/decoder-process)\.ts$|^server\/bin\/|^shared\/examples\//

/** Objects that never change, or keep nothing from one call to the next. */
const constants = /^(?:RegExp|URL|Error|Promise|TextEncoder|TextDecoder|Script|Intl|Date|Packr|Unpackr)$/
/** Objects that are tables if their type is readonly, or if they are empty and have a fixed length. */
const tables = /^(?:Map|Set|Array|\w+Array)$/
const writes = 'push|pop|shift|unshift|splice|sort|reverse|fill|set|add|delete|clear'

/** One sentence for each line that keeps state in a module. */
export function moduleState(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => where.test(path) && !programs.test(path))
    .flatMap(({ path, text }) => {
      const code = codeOnly(text)
      const found = [...variables(code), ...made(code, text), ...written(code), ...ofClasses(code)]
      return [...new Set(found.map(index => lineOf(text, index)))]
        .sort((a, b) => a - b)
        .map(line => `${path}:${line} keeps state in a module`)
    })
}

/** Variables of the module. The formatter begins the lines of a module's own statements in the first column. */
const variables = (code: string): number[] =>
  [...code.matchAll(/^(?:export )?(?:declare )?(?:let|var)\b/gm)].map(({ index }) => index)

interface Constant {
  readonly index: number
  readonly name: string
  readonly type: string
  /** Without the bodies of functions. */
  readonly value: string
  readonly valueAt: number
}

/** The module's constants. A statement ends where the next line begins in the first column, unless it is a closing bracket. */
function constantsOf(code: string): Constant[] {
  return [...code.matchAll(/^(?:export )?const ((?:[^=\n]|=>)*?)\s=\s([\s\S]*?)(?=\n[^\s)\]}>]|$(?![\s\S]))/gm)].map(
    ({ index, 0: statement, 1: declared = '', 2: value = '' }) => {
      const [, name = declared, type = ''] = /^([\w$]+)\s*:\s*([\s\S]*)$/.exec(declared) ?? []
      return { index, name, type, value: withoutFunctions(value), valueAt: index + statement.length - value.length }
    },
  )
}

/** Constants whose value is made once and can change. */
const made = (code: string, text: string): number[] =>
  constantsOf(code)
    .filter(({ type, value, valueAt }) => {
      const isReadonly = /^(?:Readonly|readonly )/.test(type)
      // In the text: what looks empty may contain strings.
      const isEmpty = /^(?:\[\s*\]|\{\s*\})(?!\s*as const)/.test(text.slice(valueAt))
      return (isEmpty && !isReadonly) || isState(value, isReadonly)
    })
    .map(({ index }) => index)

function isState(value: string, isReadonly: boolean): boolean {
  if (/\b(?:pLimit|createSignal|createStore|createRoot)\(|^\(\s*(?:async\s*)?(?:\(\)|function)/.test(value)) return true
  return [...value.matchAll(/\bnew (\w+)[^(]*(\(\s*\))?/g)].some(({ 1: name = '', 2: isEmpty }) => {
    if (constants.test(name)) return false
    if (/.Array$/.test(name) && isEmpty) return false
    return !tables.test(name) || !(isReadonly || isCopied(value))
  })
}

/** A list that is spread from a set or a map, or a member of it, is what stays. */
const isCopied = (value: string): boolean => /^\[\.\.\.new \w+/.test(value) || /^Object\.freeze\(/.test(value)

/** Constants that the module writes. */
function written(code: string): number[] {
  return constantsOf(code).flatMap(({ index, name }) => {
    if (!/^[\w$]+$/.test(name)) return []
    const place = String.raw`(?<![.#\w$])${name}(?:\??\.(?!lastIndex\b)\w+|\[[^\]\n]*\])`
    const change = new RegExp(
      String.raw`${place}+\s*(?:[-+*|&?/]{0,2}=(?![=>])|\+\+|--)|\bdelete ${name}[.[]|(?<![.#\w$])${name}\.(?:${writes})\(`,
    )
    return change.test(code) ? [index] : []
  })
}

/** Static fields of classes. */
const ofClasses = (code: string): number[] =>
  [...code.matchAll(/^ +(?:(?:private|protected|public) )?static (readonly )?#?\w+[^(=\n]*(?:=\s*([^\n]*)|$)/gm)]
    .filter(({ 1: isReadonly, 2: value = '' }) => !isReadonly || isState(withoutFunctions(value), false))
    .map(({ index }) => index + 1)

/** The code with functions blanked out that do not run while the module is loaded. */
function withoutFunctions(code: string): string {
  let kept = ''
  for (let at = 0; at < code.length; ) {
    const body = /^(?:=>\s*(\{)?|\)(?:\s*:\s*[\w<>[\], |]+)?\s*(\{))/.exec(code.slice(at))
    if (!body) {
      kept += code[at++]
      continue
    }
    const start = at + body[0].length
    kept += body[0].replace(/\{$/, '')
    at = body[1] || body[2] ? endOf(code, start, /$^/) + 1 : endOf(code, start, /[,;]/)
  }
  return kept
}

/** Where the bracket closes that is open at `start`, or where what `stop` finds stands in no further bracket. */
function endOf(code: string, start: number, stop: RegExp): number {
  let depth = 0
  for (let at = start; at < code.length; at++) {
    const char = code[at] as string
    if (depth === 0 && stop.test(char)) return at
    if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char) && --depth < 0) return at
  }
  return code.length
}
