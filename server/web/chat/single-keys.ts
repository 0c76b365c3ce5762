import { createSignal } from 'solid-js'
import { browserStorage } from '../look/browser-storage.js'

const key = 'parley.single-keys'

/**
 * Whether keys without Ctrl or Alt are shortcuts. They can be switched off, because speech input types them
 * (https://www.w3.org/WAI/WCAG22/Understanding/character-key-shortcuts); the browser remembers it.
 */
export interface SingleKeys {
  readonly areOn: () => boolean
  set(areOn: boolean): void
}

export function createSingleKeys(): SingleKeys {
  const kept = browserStorage('localStorage')
  const [areOn, setOn] = createSignal(kept.read(key) !== 'off')
  return {
    areOn,
    set(wanted) {
      if (wanted) kept.forget(key)
      else kept.keep(key, 'off')
      setOn(wanted)
    },
  }
}
