import { t } from '../language/language.js'
import { kindOf } from '../state/file-kind.js'

const uploads = '/user_uploads/'
const sounds = /\.(?:aac|flac|m4a|mp3|oga|ogg|opus|wav)$/i

/**
 * Shows the uploaded files of a message: a picture without its name above it, a sound with a player below its name, any other file as a card.
 * Only a line that is nothing but files is meant so; in a sentence a name is a word of it.
 */
export function showFiles(fragment: DocumentFragment): void {
  const pictures = new Set(
    [...fragment.querySelectorAll('.message_inline_image:not(.message_inline_video) > a')].map(addressOf),
  )
  const played = new Set([...fragment.querySelectorAll('video')].map(video => video.getAttribute('src')))
  // What a search has found in a name stays in sight.
  const hidesNames = !fragment.querySelector('.highlight')
  for (const paragraph of fragment.querySelectorAll('p')) {
    if (!paragraph.querySelector(`a[href^="${uploads}"]`)) continue
    const lines = fileLines(paragraph)
    paragraph.after(...lines.flatMap(({ links }) => links.filter(link => sounds.test(addressOf(link)))).map(playerOf))
    for (const { nodes, links } of lines)
      if (hidesNames && links.every(link => pictures.has(addressOf(link)))) removeLine(nodes)
      else
        for (const link of links)
          if (![pictures, played].some(shown => shown.has(addressOf(link))) && !sounds.test(addressOf(link)))
            makeCard(link)
    if (paragraph.childNodes.length === 0) paragraph.remove()
  }
}

const addressOf = (link: Element): string => link.getAttribute('href') ?? ''

interface FileLine {
  readonly nodes: readonly Node[]
  readonly links: readonly HTMLAnchorElement[]
}

/** The lines of a paragraph that are nothing but links to files. */
function fileLines(paragraph: HTMLElement): FileLine[] {
  const lines: Node[][] = [[]]
  for (const node of paragraph.childNodes) {
    if (node instanceof HTMLBRElement) lines.push([])
    else lines.at(-1)?.push(node)
  }
  return lines.flatMap(nodes => {
    const said = nodes.filter(node => node.textContent?.trim() !== '')
    const links = said.filter(node => node instanceof HTMLAnchorElement && addressOf(node).startsWith(uploads))
    return said.length > 0 && links.length === said.length ? [{ nodes, links: links as HTMLAnchorElement[] }] : []
  })
}

/** Removes a line with the break at one end of it. */
function removeLine(nodes: readonly Node[]): void {
  const end = nodes.at(-1)?.nextSibling ?? nodes[0]?.previousSibling
  if (end instanceof HTMLBRElement) end.remove()
  for (const node of nodes) node.parentNode?.removeChild(node)
}

function makeCard(link: HTMLAnchorElement): void {
  const name = document.createElement('span')
  name.append(...link.childNodes)
  link.append(name)
  link.className = 'file-card'
  link.dataset.kind = kindOf(link.textContent) || '…'
}

function playerOf(link: HTMLAnchorElement): HTMLAudioElement {
  const player = document.createElement('audio')
  player.controls = true
  player.preload = 'metadata'
  player.src = addressOf(link)
  player.title = link.textContent || t('message.sound')
  return player
}
