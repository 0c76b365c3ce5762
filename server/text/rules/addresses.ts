import { createRequire } from 'node:module'

// The list of the Internet's top-level domains, and the one that is reserved for examples. Names of files end in the excluded ones.
const require = createRequire(import.meta.url)
const fileEndings: readonly string[] = ['java', 'md', 'mov', 'py', 'zip']
const topLevel: ReadonlySet<string> = new Set(
  [...(require('tlds') as string[]), 'example'].filter(name => !fileEndings.includes(name)),
)

// Chinese and Japanese have no spaces, so their letters end a host, unless they stand before a top-level domain behind a scheme.
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]`
const letter = String.raw`(?:[\w-]|(?!${unspaced})[\p{L}\p{M}\p{N}])`
const start = new RegExp(String.raw`(?<![^\s'"(,:<\u0080-\u{10ffff}])(?:https?:\/\/|bitcoin:|(?=${letter}))`, 'gu')
const hostWithPort = new RegExp(`(?:${letter}|[.:@])+`, 'uy')
const wholeHost = /[\p{L}\p{M}\p{N}_.-]+/uy
const unspacedEnd = new RegExp(`${unspaced}+$`, 'u')
const hostOrEmail = new RegExp(`(?:${letter}|[.+%@])+`, 'uy')
const host = new RegExp(String.raw`^(?:${letter}+\.)+${letter}+`, 'u')
const port = /:\d{1,5}(?!\w)/y
// The punctuation of Chinese and Japanese ends it.
const path = /[/?#][^\s<>"`\p{Cc}。、，；：！？…]*/uy
/** Brackets that count in pairs, by their opening ones. */
const brackets: ReadonlyMap<string, string> = new Map(
  ['()', '（）', '「」', '『』', '【】', '《》', '〈〉'].map(pair => [pair.charAt(0), pair.charAt(1)]),
)
const closing: ReadonlySet<string> = new Set(brackets.values())
// What may stand between an address and the end of its word.
const afterwards = /[!:;?),.'">*~]*(?:$|\s|[\u0080-\u{10ffff}])/uy
const coins = /(?:bc1[02-9ac-hj-np-z]{11,71}|[13][1-9A-HJ-NP-Za-km-z]{25,34})(?![0-9A-Za-z])/y

/** A part of a text that is an address. */
export interface Address {
  readonly start: number
  readonly end: number
}

/** The addresses in a text, in its order: of websites, with `http` or a host with a known top-level domain, of mail, and of coins. */
export function addressesIn(text: string): Address[] {
  const found: Address[] = []
  if (!/[^\s.]\.[^\s.]|:\/\/|bitcoin:/.test(text)) return found
  start.lastIndex = 0
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const { index, 0: prefix } = match
    const from = index + prefix.length
    const end =
      prefix === '' ? endOfHost(text, index) : prefix === 'bitcoin:' ? endOf(coins, text, from) : endOfUrl(text, from)
    if (end > from && endsWord(text, end)) found.push({ start: index, end })
    // What is no address is read no second time, so the time is linear.
    start.lastIndex = end > from ? end : Math.max(from, endOf(hostOrEmail, text, index), index + 1)
  }
  return found
}

/** The end of what matches here, or `from` if nothing does. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

/** Whether nothing but punctuation follows before white space, the end, or a character of a script that may have no spaces. */
const endsWord = (text: string, end: number): boolean => endOf(afterwards, text, end) > end || end === text.length

function endOfUrl(text: string, from: number): number {
  const hostEnd = endOf(hostWithPort, text, Math.max(from, endOfWholeHost(text, from)))
  return hostEnd === from ? from : withoutPunctuation(text, from, endOfPath(text, hostEnd))
}

/** The end of a host with letters of Chinese or Japanese, which its top-level domain shows; `from` if there is none. */
function endOfWholeHost(text: string, from: number): number {
  const run = text.slice(from, endOf(wholeHost, text, from))
  const last = run.slice(run.lastIndexOf('.') + 1)
  const ending = [last, last.replace(unspacedEnd, '')].find(name => topLevel.has(name.toLowerCase()))
  if (ending === undefined || ending.length === run.length) return from
  return from + run.length - last.length + ending.length
}

/** The end of a host or an address of mail without a scheme; the start if there is none. */
function endOfHost(text: string, from: number): number {
  const run = text.slice(from, endOf(hostOrEmail, text, from))
  const at = run.indexOf('@')
  const name = host.exec(run.slice(at + 1))?.[0].replace(/[-_]+$/, '')
  if (at === 0 || name === undefined || !topLevel.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())) return from
  const end = from + at + 1 + name.length
  if (at > 0) return /[@/]/.test(text.charAt(end)) ? from : end
  if (/[@+%]/.test(text.charAt(end))) return from
  return withoutPunctuation(text, end, endOfPath(text, endOf(port, text, end)))
}

/** The end of a path, a query or a fragment: a closing bracket belongs to it only if the opening one does. */
function endOfPath(text: string, from: number): number {
  const end = endOf(path, text, from)
  const open: string[] = []
  for (let at = from; at < end; at++) {
    const char = text.charAt(at)
    const closer = brackets.get(char)
    if (closer !== undefined) open.push(closer)
    else if (closing.has(char)) {
      const opened = open.lastIndexOf(char)
      if (opened < 0) return at
      open.length = opened
    }
  }
  return end
}

/** Punctuation at the end belongs to the sentence, and asterisks and tildes to the emphasis around the address. */
function withoutPunctuation(text: string, first: number, end: number): number {
  let last = end
  while (last > first && /[!:;?,.'*~]/.test(text.charAt(last - 1))) last--
  return last
}
