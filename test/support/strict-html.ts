/**
 * Reads the HTML of a message as the strictest clients do, which show as an error, or wrongly, what they do not know. Returns a sentence for
 * each such place; an empty list means that they show the message as it was meant.
 */
export function unreadable(html: string): string[] {
  const reader = new Reader()
  reader.blocks(parse(html).children, 'the message')
  return reader.problems
}

type Node = string | Element
interface Element {
  readonly tag: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: Node[]
}

const empty = new Set(['br', 'hr', 'img'])

/** A tree of well-formed HTML. Character references stay as they are. @throws for any other HTML */
function parse(html: string): Element {
  const root: Element = { tag: '', attributes: new Map(), children: [] }
  const open = [root]
  for (const [part, slash, tag, attributes] of html.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"]*")?)*)>|[^<]+|</gi,
  )) {
    const parent = open.at(-1) as Element
    if (part === '<') throw new Error(`no tag: ${html}`)
    if (tag === undefined) parent.children.push(part)
    else if (slash) {
      if (open.pop()?.tag !== tag || open.length === 0) throw new Error(`unbalanced ${part}: ${html}`)
    } else {
      const given = [...(attributes ?? '').matchAll(/ ([a-z-]+)="([^"]*)"/gi)]
      const element = {
        tag,
        attributes: new Map(given.map(([, name = '', value = '']) => [name, value])),
        children: [],
      }
      parent.children.push(element)
      if (!empty.has(tag)) open.push(element)
    }
  }
  if (open.length > 1) throw new Error(`not closed: ${html}`)
  return root
}

const isElement = (node: Node | undefined): node is Element => typeof node === 'object'
const textOf = (node: Node | undefined): string | undefined => (typeof node === 'string' ? node : undefined)
const nameOf = (node: Node | undefined): string => (isElement(node) ? node.tag : 'text')
const attribute = (element: Element, name: string) => element.attributes.get(name)
const named = (node: Node | undefined, tag: string, className?: string): node is Element =>
  isElement(node) && node.tag === tag && attribute(node, 'class') === className

const mentions = new Set(
  ['user-mention', 'user-mention channel-wildcard-mention', 'topic-mention', 'user-group-mention'].flatMap(one => [
    one,
    `${one} silent`,
  ]),
)
// The classes of highlighted code that clients have a style for.
const tokens = new Set(
  (
    'w err esc x k kc kd kn kr kp kt nf fm nc ne nn nb bp no nd ni nl nt na nv vc vg vi vm py nx n m mi il mf mh mo mb o ow p pm ' +
    'c c1 cm ch cp cpf cs s sa sb sc dl sd s2 se sh si sx sr s1 ss l ld g gd gi gh gu ge gr go gp gs gt ges'
  ).split(' '),
)
const links = new Set([undefined, 'stream', 'stream-topic', 'message-link'])
const alignments = new Set([undefined, 'text-align: left;', 'text-align: center;', 'text-align: right;'])
const blockTags = new Set('p ul ol blockquote div table h1 h2 h3 h4 h5 h6 hr'.split(' '))

const previews = /^(?:(?:youtube-video|embed-video) )?message_inline_image$|^message_inline_image message_inline_video$/
const embedStyle = /^background-image: url\(&quot;\/external_content\/[0-9a-f]{40}\/[0-9a-f]+&quot;\)$/

class Reader {
  readonly problems: string[] = []

  blocks(nodes: readonly Node[], where: string): void {
    for (const node of nodes) {
      if (isElement(node)) this.block(node)
      else if (!/^\n*$/.test(textOf(node) ?? 'x')) this.say(`text between the blocks of ${where}`, textOf(node))
    }
  }

  private say(what: string, found: unknown = ''): void {
    this.problems.push(`${what}${found === '' ? '' : `: ${JSON.stringify(found)}`}`)
  }

  private block(element: Element): void {
    const { tag, children } = element
    const className = attribute(element, 'class')
    if (tag === 'div') {
      if (className === 'codehilite') this.code(element)
      else if (className === 'spoiler-block') this.spoiler(children)
      else if (previews.test(className ?? '')) this.preview(element)
      else if (className === 'message_embed') this.embed(children)
      else this.say('a div of an unknown class', className)
      return
    }
    if (className !== undefined) this.say(`a class at ${tag}`, className)
    if (tag === 'p') this.paragraph(children)
    else if (tag === 'ul' || tag === 'ol') this.list(element)
    else if (tag === 'blockquote') this.blocks(children, 'a quote')
    else if (tag === 'table') this.table(children)
    else if (/^h[1-6]$/.test(tag)) this.inline(children)
    else if (tag !== 'hr') this.say('an unknown block', tag)
  }

  private paragraph(children: readonly Node[]): void {
    if (!named(children[0], 'span', 'katex-display')) {
      this.inline(children)
      return
    }
    children.forEach((child, i) => {
      if (i % 2 === 1 && textOf(child) !== '\n\n') this.say('between two formulas is no blank line')
      else if (i % 2 === 0 && named(child, 'span', 'katex-display')) this.display(child)
      else if (i % 2 === 0) this.say('a formula of its own lines shares its paragraph')
    })
  }

  private display({ children }: Element): void {
    const [only, ...others] = children
    if (!named(only, 'span', 'katex') || others.length > 0) this.say('a displayed formula has one child')
    else this.formula(only, 'block')
  }

  /** Clients show the source when they do not know the rest, so the source has to be there. */
  private formula({ children: [mathml, rendered, ...others] }: Element, display: 'block' | undefined): void {
    const math = named(mathml, 'span', 'katex-mathml') ? mathml.children[0] : undefined
    if (!isElement(math) || math.tag !== 'math' || attribute(math, 'display') !== display) {
      this.say('a formula has no MathML of its kind')
      return
    }
    const [semantics] = math.children
    const source = isElement(semantics) ? semantics.children.at(-1) : undefined
    if (!isElement(source) || attribute(source, 'encoding') !== 'application/x-tex') this.say('a formula has no source')
    if (!named(rendered, 'span', 'katex-html') || others.length > 0) this.say('a formula is not typeset')
  }

  private inline(nodes: readonly Node[]): void {
    nodes.forEach((node, i) => {
      const text = textOf(node)
      if (text !== undefined) {
        const afterBreak = named(nodes[i - 1], 'br')
        if (text.includes('\n', afterBreak ? 1 : 0)) this.say('a newline without a break', text)
      } else if (named(node, 'br')) {
        if (!textOf(nodes[i + 1])?.startsWith('\n')) this.say('a break without a newline')
      } else if (isElement(node)) this.inlineElement(node)
    })
  }

  private inlineElement(element: Element): void {
    const { tag, children } = element
    const className = attribute(element, 'class')
    if (tag === 'span') this.span(element, className)
    else if (tag === 'img') this.emojiPicture(element, className)
    else if (tag === 'a') this.link(element, className)
    else if (className !== undefined) this.say(`a class at ${tag}`, className)
    else if (tag === 'audio') {
      if (!attribute(element, 'src')) this.say('a player without a sound')
    } else if (tag === 'time') {
      if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(attribute(element, 'datetime') ?? '')) this.say('a time')
      this.text(children, 'a time')
    } else if (tag === 'code') this.text(children, 'inline code')
    else if (['strong', 'em', 'del'].includes(tag)) this.inline(children)
    else this.say('an unknown element in text', tag)
  }

  /** One link without a class, and in it one picture or video. */
  private preview({ children: [link, ...others] }: Element): void {
    if (!named(link, 'a') || attribute(link, 'class') !== undefined || others.length > 0) {
      this.say('a preview has one link')
      return
    }
    const [shown, ...more] = link.children
    if (more.length > 0) this.say('a preview shows one thing')
    if (isElement(shown) && shown.tag === 'img') this.uploaded(shown)
    else if (!named(shown, 'video') || !attribute(shown, 'src')) this.say('in a preview', nameOf(shown))
  }

  /** An empty link with a picture as its background, and title and description, each with one child. */
  private embed([image, data, ...others]: readonly Node[]): void {
    if (!named(image, 'a', 'message_embed_image') || image.children.length > 0 || others.length > 0) {
      this.say('a website begins with its picture')
      return
    }
    if (!embedStyle.test(attribute(image, 'style') ?? ''))
      this.say('the picture of a website', attribute(image, 'style'))
    const texts = named(data, 'div', 'data-container') ? data.children : []
    const kinds = texts.map(one => (isElement(one) ? attribute(one, 'class') : undefined)).join()
    if (!/^(?:message_embed_title)?,?(?:message_embed_description)?$/.test(kinds)) this.say('a website has', kinds)
    for (const text of texts) {
      const [only, ...more] = isElement(text) ? text.children : []
      const isLink = named(only, 'a') && attribute(only, 'href') === attribute(image, 'href')
      if (more.length > 0 || !(isLink || textOf(only))) this.say('a text of a website')
    }
  }

  private uploaded(picture: Element): void {
    if (attribute(picture, 'src')?.startsWith('/external_content/')) return
    const isLoading = (attribute(picture, 'class') ?? '').includes('image-loading-placeholder')
    const source = attribute(picture, 'src') ?? ''
    const isKnown = isLoading ? source.startsWith('/static/') : source.startsWith('/user_uploads/thumbnail/')
    if (!isKnown) this.say('the source of a picture', source)
    const size = attribute(picture, 'data-original-dimensions')
    // The size of a picture that is loading may not be known yet.
    if (size === undefined ? !isLoading : !/^\d+x\d+$/.test(size)) this.say('a picture without its size')
  }

  private emojiPicture(element: Element, className: string | undefined): void {
    if (/^inline-image(?: image-loading-placeholder)?$/.test(className ?? '')) {
      if (!attribute(element, 'data-original-src')) this.say('a picture without its file')
      this.uploaded(element)
      return
    }
    const isComplete = className === 'emoji' && attribute(element, 'alt') && attribute(element, 'src')
    if (!isComplete) this.say('a picture', className)
  }

  private link(element: Element, className: string | undefined): void {
    if (!links.has(className)) this.say('a link of an unknown class', className)
    if (!attribute(element, 'href')) this.say('a link without address')
    if (/^stream/.test(className ?? '') && !/^\d+$/.test(attribute(element, 'data-stream-id') ?? ''))
      this.say('a link to a channel without its id')
    this.inline(element.children)
  }

  private span(element: Element, className = ''): void {
    const { children } = element
    const code = /^emoji emoji-([0-9a-f]{4,6}(?:-[0-9a-f]{4,6})*)$/.exec(className)?.[1]
    if (className === 'katex') this.formula(element, undefined)
    else if (code !== undefined) {
      if (code.split('-').includes('fe0f')) this.say('an emoji with a variation selector', code)
      this.text(children, 'an emoji')
    } else if (mentions.has(className)) {
      if (className.startsWith('user-mention') && !/^(?:\d+|\*)$/.test(attribute(element, 'data-user-id') ?? ''))
        this.say('a mention without a user')
      if (className.startsWith('user-group') && !/^\d+$/.test(attribute(element, 'data-user-group-id') ?? ''))
        this.say('a mention without a group')
      this.text(children, 'a mention')
    } else this.say('a span of an unknown class', className)
  }

  private text(nodes: readonly Node[], where: string): void {
    for (const node of nodes) if (textOf(node) === undefined) this.say(`an element in ${where}`, nameOf(node))
  }

  private list(list: Element): void {
    const start = attribute(list, 'start')
    if (start !== undefined && !/^\d+$/.test(start)) this.say('the first number of a list', start)
    for (const item of list.children) {
      if (named(item, 'li')) this.item(item.children)
      else if (!/^\n*$/.test(textOf(item) ?? 'x')) this.say('in a list, outside its items', nameOf(item))
    }
  }

  /** An item begins with inline content, or with a newline and blocks. */
  private item(nodes: readonly Node[]): void {
    if (textOf(nodes[0])?.startsWith('\n')) {
      this.blocks(nodes, 'an item')
      return
    }
    const first = nodes.findIndex(node => isElement(node) && blockTags.has(node.tag))
    this.inline(first < 0 ? nodes : nodes.slice(0, first))
    if (first >= 0) this.blocks(nodes.slice(first), 'an item')
  }

  private spoiler([header, content, ...others]: readonly Node[]): void {
    if (!named(header, 'div', 'spoiler-header') || !named(content, 'div', 'spoiler-content') || others.length > 0) {
      this.say('a spoiler is its header and its content, without text between them')
      return
    }
    this.blocks(header.children, 'the header of a spoiler')
    this.blocks(content.children, 'a spoiler')
  }

  private code({ children: [pre, ...others] }: Element): void {
    if (!named(pre, 'pre') || others.length > 0) {
      this.say('a code block has one pre')
      return
    }
    const children = named(pre.children[0], 'span') ? pre.children.slice(1) : pre.children
    const [code] = children
    if (!named(code, 'code') || children.length > 1) {
      this.say('a code block has one code')
      return
    }
    for (const node of code.children) {
      if (textOf(node) !== undefined) continue
      const [token = ''] = isElement(node) ? (attribute(node, 'class') ?? '').split(' ') : []
      if (!isElement(node) || node.tag !== 'span' || !tokens.has(token)) this.say('in code', token || nameOf(node))
      else this.text(node.children, 'a token of code')
    }
  }

  private table(nodes: readonly Node[]): void {
    const [head, body, ...others] = this.lines(nodes, 'table')
    if (!head || !body || head.tag !== 'thead' || body.tag !== 'tbody' || others.length > 0) {
      this.say('a table is its head and its body')
      return
    }
    const [titles, ...more] = this.lines(head.children, 'thead')
    const rows = this.lines(body.children, 'tbody')
    if (!titles || more.length > 0 || rows.length === 0) this.say('a table has one head line and at least one row')
    const width = titles ? this.cells(titles, 'th') : 0
    for (const row of rows) if (this.cells(row, 'td') !== width) this.say('a row of another width than the head')
  }

  private cells(row: Element, tag: string): number {
    const cells = this.lines(row.children, 'tr')
    for (const cell of cells) {
      if (cell.tag !== tag) this.say(`in place of ${tag}`, cell.tag)
      if (!alignments.has(attribute(cell, 'style'))) this.say('an alignment', attribute(cell, 'style'))
      this.inline(cell.children)
    }
    return cells.length
  }

  /** The elements, with exactly one newline before, between and after them. */
  private lines(nodes: readonly Node[], where: string): Element[] {
    nodes.forEach((node, i) => {
      const isRight = i % 2 === 0 ? textOf(node) === '\n' : isElement(node)
      if (!isRight) this.say(`white space in ${where}`)
    })
    return nodes.filter(isElement)
  }
}
