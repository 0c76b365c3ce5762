import { createSignal } from 'solid-js'

/** An uploaded picture of a message. */
interface Picture {
  readonly name: string
  /** What the viewer shows: the upload, or a copy of full size if browsers do not show its type. */
  readonly shown: string
  /** The upload itself. */
  readonly original: string
}

interface Opened {
  readonly all: readonly Picture[]
  readonly at: number
}

const [opened, setOpened] = createSignal<Opened>()

/** The pictures of the feed, and which one the viewer shows. */
export const openedPictures = opened

/** Shows the next picture, or with -1 the one before. */
export function stepPicture(step: 1 | -1): void {
  setOpened(now => now && { ...now, at: Math.min(now.all.length - 1, Math.max(0, now.at + step)) })
}

/** Chooses the picture of a link that was clicked, among all pictures around it. False: the link has no picture. */
export function choosePicture(target: Element): boolean {
  const link = target.closest('a.picture')
  if (!link) return false
  const links = [...(link.closest('[role=log]') ?? document.body).querySelectorAll('a.picture')]
  setOpened({ all: links.map(pictureOf), at: links.indexOf(link) })
  return true
}

function pictureOf(link: Element): Picture {
  const original = link.getAttribute('href') ?? ''
  const image = link.querySelector('img')
  const copy = image?.getAttribute('data-transcoded-image')
  const shown = copy ? `${original.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${copy}` : original
  return { name: image?.alt || decodeURIComponent(original.split('/').at(-1) ?? ''), shown, original }
}
