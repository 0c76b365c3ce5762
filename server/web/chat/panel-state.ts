import { createSignal } from 'solid-js'
import { browserStorage } from '../look/browser-storage.js'
import { createMedia } from '../look/media.js'

// Beside the conversation there must be room for lines of about 75 characters.
const besideQuery = '(min-width: 1000px)'
// Here the panel is open until the user closes it: the conversation still has its usual width.
const roomyQuery = '(min-width: 1360px)'
const key = 'parley.people'

/** The panel of people: beside the conversation on wide screens, a dialog on others. */
export interface PeoplePanel {
  readonly isBeside: () => boolean
  readonly isOpen: () => boolean
  toggle(): void
}

interface DialogPlace {
  readonly dialog: () => unknown
  open(dialog: 'people'): void
  /** Whether nothing else stands beside the open view. */
  isAlone(): boolean
}

/** Remembers in the browser whether the user wants the panel. */
export function createPeoplePanel({ dialog, open, isAlone }: DialogPlace): PeoplePanel {
  const isWide = createMedia(besideQuery)
  const hasRoom = () => isWide() && isAlone()
  const isRoomy = createMedia(roomyQuery)
  const kept = browserStorage('localStorage')
  const [wanted, setWanted] = createSignal(kept.read(key))
  const isBeside = () => hasRoom() && (wanted() ?? (isRoomy() ? 'open' : 'closed')) === 'open'
  return {
    isBeside,
    isOpen: () => isBeside() || dialog() === 'people',
    toggle() {
      if (!hasRoom()) return open('people')
      const next = isBeside() ? 'closed' : 'open'
      kept.keep(key, next)
      setWanted(next)
    },
  }
}
