import { createSignal, type JSX, Show, Suspense } from 'solid-js'
import type { Emoji } from '../../state/reacting.js'
import { later } from '../later.js'

// Loaded on first use, because it contains several thousand emoji.
const EmojiPicker = later(async () => (await import('./emoji-picker.js')).EmojiPicker)

/** The picker of emoji, which a button opens and closes. */
interface EmojiPicking {
  readonly isOpen: () => boolean
  toggle(): void
  /** The picker while it is open; it stands beside its parent. */
  picker(): JSX.Element
}

/** The second parameter keeps whether it is open, where a menu opens it, too. */
export function createEmojiPicking(
  choose: (emoji: Emoji) => unknown,
  [isOpen, setOpen]: readonly [() => boolean, (isOpen: boolean) => void] = createSignal(false),
): EmojiPicking {
  const close = () => setOpen(false)
  const chosen = (emoji: Emoji) => {
    close()
    choose(emoji)
  }
  return {
    isOpen,
    toggle: () => setOpen(!isOpen()),
    picker: () => (
      <Show when={isOpen()}>
        <Suspense>
          <EmojiPicker close={close} choose={chosen} />
        </Suspense>
      </Show>
    ),
  }
}
