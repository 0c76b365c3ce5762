import type { Element } from '../elements.js'
import type { Names } from '../names.js'
import { fileAt, pictureAttributes } from '../uploaded-files.js'

const pictures = /\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/i
const videos = /\.(?:mp4|mov|webm)$/i

/** What a linked picture or video shows, within a link to its address. */
interface MediaPreview {
  /** Class of the preview. */
  readonly kind: string
  readonly shown: Element
  /** The value of `data-id`, with which clients build a player. */
  readonly player?: string
  readonly isImage: boolean
  /** It takes the place of a text that is nothing but its address. */
  readonly replaces: boolean
}

/** The preview of an uploaded file, or of a picture or video of another host; undefined: the address is none. */
export function mediaPreview(names: Names, href: string): MediaPreview | undefined {
  const file = fileAt(names, href)
  if (file?.picture) return pictureOf(pictureAttributes(file.path, { ...file, picture: file.picture }))
  if (file) return videos.test(file.path) ? videoOf(href) : undefined
  return externalPreview(names, href)
}

function externalPreview(names: Names, href: string): MediaPreview | undefined {
  const source = names.external(href)
  if (source === undefined) return undefined
  const url = new URL(href)
  if (pictures.test(url.pathname)) return pictureOf([['src', source]])
  if (videos.test(url.pathname)) return videoOf(source)
  const id = youtubeId(url)
  const still = id && names.external(`https://i.ytimg.com/vi/${id}/mqdefault.jpg`)
  if (!still) return undefined
  const image = pictureOf([['src', still]])
  return { ...image, kind: 'youtube-video message_inline_image', player: id, replaces: false }
}

const pictureOf = (attributes: readonly [string, string][]): MediaPreview => ({
  kind: 'message_inline_image',
  shown: { tag: 'img', attributes: Object.fromEntries(attributes) },
  isImage: true,
  replaces: true,
})

const videoOf = (src: string): MediaPreview => ({
  kind: 'message_inline_image message_inline_video',
  shown: { tag: 'video', attributes: { preload: 'metadata', src }, children: [] },
  isImage: false,
  replaces: true,
})

const youtubeHosts: ReadonlySet<string> = new Set(
  ['youtube.com', 'youtube-nocookie.com'].flatMap(host => [host, `www.${host}`, `m.${host}`]),
)

/** The video of a page of YouTube, whose players clients build themselves. */
function youtubeId({ hostname, pathname, searchParams }: URL): string | undefined {
  const [, kind = '', part] = pathname.split('/')
  const id = hostname === 'youtu.be' ? kind : !youtubeHosts.has(hostname) ? '' : idOfPage(kind, part, searchParams)
  return /^[\w-]{11}$/.test(id) ? id : undefined
}

const idOfPage = (kind: string, part = '', query: URLSearchParams): string =>
  kind === 'watch' ? (query.get('v') ?? '') : ['embed', 'shorts', 'v'].includes(kind) ? part : ''

/** A preview in its link. `title`: '' for none. */
export const framed = (
  { kind, shown, player }: Pick<MediaPreview, 'kind' | 'shown' | 'player'>,
  href: string,
  title: string,
): Element => ({
  tag: 'div',
  attributes: { class: kind },
  children: [{ tag: 'a', attributes: { 'data-id': player, href, title: title || undefined }, children: [shown] }],
})
