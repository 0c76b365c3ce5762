import { Parser } from 'htmlparser2'

// Beyond it an element counts as nested by mistake; the parser needs time in proportion to the depth for each tag.
const mostDepth = 500
// The parser reads so many characters before the depth is looked at again.
const stepCharacters = 4_096
const mostText = 2_000

type Part = 'title' | 'h1' | 'p'

/** Collects what a page says of itself while its HTML arrives. All values are as written, '' if missing. */
export class PageFacts {
  private readonly meta = new Map<string, string>()
  private readonly texts: Record<Part, string> = { title: '', h1: '', p: '' }
  private _image = ''
  private _oembed = ''
  private depth = 0
  private isInBody = false
  private isBehindHeading = false
  /** The part whose text arrives, and those whose text is complete. */
  private open: Part | undefined
  private readonly closed = new Set<Part>()
  private readonly parser = new Parser({
    onopentag: (name, attributes) => this.opened(name, attributes),
    ontext: text => {
      if (this.open) this.texts[this.open] = (this.texts[this.open] + text).slice(0, mostText)
    },
    onclosetag: name => this.ended(name),
  })

  /** Reads on. False: nothing more is needed, or the page is nested too deeply. */
  read(html: string): boolean {
    for (let at = 0; at < html.length; at += stepCharacters) {
      this.parser.write(html.slice(at, at + stepCharacters))
      if (this.depth > mostDepth || this.isComplete) return false
    }
    return true
  }

  get title(): string {
    return this.meta.get('og:title') ?? (this.texts.title.trim() || this.texts.h1)
  }

  get description(): string {
    return this.meta.get('og:description') ?? this.meta.get('description') ?? this.texts.p
  }

  get image(): string {
    return this.meta.get('og:image') ?? this._image
  }

  /** Address of its oEmbed answer in JSON. */
  get oembed(): string {
    return this._oembed
  }

  private get isComplete(): boolean {
    const isHeadEnough = this.isInBody && ['og:title', 'og:description', 'og:image'].every(key => this.meta.has(key))
    return isHeadEnough || (this.closed.has('p') && this.closed.has('h1') && this.image !== '')
  }

  private opened(name: string, attributes: Readonly<Record<string, string>>): void {
    this.depth++
    if (name === 'meta') this.noteMeta(attributes)
    else if (name === 'link') this.noteLink(attributes)
    else if (name === 'body') this.isInBody = true
    else if (name === 'img') {
      if (this.isBehindHeading) this._image ||= attributes.src ?? ''
    } else if (name === 'title' || name === 'h1' || name === 'p') {
      if (name === 'h1') this.isBehindHeading = true
      this.open = this.closed.has(name) ? undefined : name
    }
  }

  private ended(name: string): void {
    this.depth--
    if (name !== this.open) return
    this.open = undefined
    // A paragraph of nothing but pictures describes nothing.
    if (this.texts[name].trim() !== '') this.closed.add(name)
  }

  private noteMeta({ property, name, content = '' }: Readonly<Record<string, string>>): void {
    const key = (property ?? name ?? '').toLowerCase()
    const isWanted = ['og:title', 'og:description', 'og:image', 'description'].includes(key)
    if (isWanted && content.trim() !== '' && !this.meta.has(key)) this.meta.set(key, content)
  }

  private noteLink({ rel = '', type = '', href = '' }: Readonly<Record<string, string>>): void {
    const isOembed =
      /^application\/json\+oembed$/i.test(type.trim()) && rel.toLowerCase().split(/\s+/).includes('alternate')
    if (isOembed) this._oembed ||= href
  }
}

/** The address of the first frame in the HTML of a player; '' if there is none. */
export function frameAddress(html: string): string {
  let found = ''
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'iframe') found ||= attributes.src ?? ''
    },
  })
  parser.end(html)
  return found
}
