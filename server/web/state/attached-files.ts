/** A text as the composer shows it. */
export interface TextWithFiles {
  /** What stands in the box. */
  readonly words: string
  /** Links to uploaded files, as Markdown: the lines behind the words that are nothing else. */
  readonly files: readonly string[]
}

/** An uploaded file to which a link leads. */
export interface LinkedFile {
  readonly name: string
  readonly address: string
}

/** Of one message: the server counts no more files as used by it. */
export const mostFiles = 50

const link = /\[([^[\]]*)\]\((\/user_uploads\/[^\s()]+)\)/
const links = new RegExp(link, 'g')
const lineOfFiles = new RegExp(`^(?:[ \\t]*${link.source})+[ \\t]*$`)

/** Parts the words of a text from the files behind them. */
export function partsOf(text: string): TextWithFiles {
  const lines = text.split('\n')
  const files: string[] = []
  let end = lines.length
  for (; end > 0; end--) {
    const line = lines[end - 1] ?? ''
    const found = lineOfFiles.test(line) ? (line.match(links) ?? []) : []
    if (found.length === 0 || files.length + found.length > mostFiles) break
    files.unshift(...found)
  }
  const isApart = files.length > 0 && lines[end - 1] === ''
  return { words: lines.slice(0, isApart ? end - 1 : end).join('\n'), files }
}

/** The opposite of `partsOf`. A paragraph of their own keeps the files out of a list or a quote. */
export const textOf = ({ words, files }: TextWithFiles): string =>
  [words, files.join('\n')].filter(part => part !== '').join('\n\n')

/** A text with a link to one more file. */
export function withFile(text: string, file: string): string {
  const { words, files } = partsOf(text)
  return textOf({ words, files: [...files, file] })
}

/** Brackets, backslashes and breaks in a name would end the link. */
export const linkTo = ({ name, address }: LinkedFile): string => `[${name.replace(/[[\]\\\p{Cc}]/gu, '_')}](${address})`

export function fileOf(markdown: string): LinkedFile {
  const [, name = '', address = ''] = link.exec(markdown) ?? []
  return { name, address }
}
