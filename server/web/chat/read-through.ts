import { createEffect, createSignal, on } from 'solid-js'
import { t } from '../language/language.js'
import { inboxOf, type UnreadPlace, unreadPlaces } from '../state/inbox.js'
import { addressOf, type Narrow, sameNarrow } from '../state/narrow.js'
import { undoSeen } from '../state/seen.js'
import type { Chat } from './chat.js'
import { setFlag } from './set-flag.js'

/** The mode of reading: it leads through what is unread, from one conversation to the next. */
export interface ReadThrough {
  /** What is still unread; undefined: the mode is off. */
  readonly left: () => Left | undefined
  /** Further down in the open conversation, otherwise to the next one; begins the mode. */
  next(): void
  /** Makes the open conversation unread as it was, and goes to the next one; it comes again when the mode begins again. */
  skip(): void
  end(): void
}

/** The open view, and the way to another one. */
interface Address {
  narrow(): Narrow | undefined
  go(narrow: Narrow): void
}

interface Left {
  readonly messages: number
  /** Those after the open one. */
  readonly conversations: number
}

// What was at the lower edge stays in sight.
const overlapPixels = 60

export function createReadThrough(chat: Chat, { narrow, go }: Address): ReadThrough {
  const [here, setHere] = createSignal<UnreadPlace>()
  const [skipped, setSkipped] = createSignal<ReadonlySet<string>>(new Set())
  const places = () => unreadPlaces(inboxOf(chat.state)).filter(one => !skipped().has(addressOf(one.narrow)))
  const others = () => {
    const open = here()
    return places().filter(one => !open || !sameNarrow(one.narrow, open.narrow))
  }
  const end = () => {
    setHere(undefined)
    setSkipped(new Set<string>())
  }
  const goOn = () => {
    const [next] = others()
    if (next) {
      setHere(next)
      go(next.narrow)
    } else {
      chat.say(skipped().size > 0 ? t('readThrough.onlySkipped', skipped().size) : t('home.everything'))
      end()
      go({ kind: 'inbox' })
    }
  }
  // The user has gone elsewhere.
  createEffect(
    on(narrow, open => {
      const walked = here()
      if (walked && !(open && sameNarrow(open, walked.narrow))) end()
    }),
  )
  return {
    left() {
      if (!here()) return undefined
      return { messages: places().reduce((sum, { ids }) => sum + ids.length, 0), conversations: others().length }
    },
    next() {
      const open = here()
      if (!open && places().length === 0) chat.say(t('notice.nothingUnread'))
      else if (!open || !readOn(chat, open.narrow)) goOn()
    },
    skip() {
      const open = here()
      if (!open) return
      setSkipped(new Set([...skipped(), addressOf(open.narrow)]))
      const read = open.ids.filter(id => chat.state.messages[id]?.flags.includes('read'))
      // First, so that what is in sight is not read again at once.
      goOn()
      if (read.length === 0) return
      chat.change(state => undoSeen(state, read))
      void chat.attempt(() => setFlag(chat, read, 'read', false))
    },
    end,
  }
}

/** Scrolls down by about one screen. False: all of the conversation was in sight. */
function readOn({ state }: Chat, narrow: Narrow): boolean {
  const feed = state.feeds[addressOf(narrow)]
  const scroller = document.querySelector('.feed-scroll')
  // What follows is on its way.
  if (!feed || !scroller || feed.isLoading) return !feed?.error
  const { scrollHeight, scrollTop, clientHeight } = scroller
  if (scrollHeight - scrollTop - clientHeight < 2) return !feed.foundNewest
  scroller.scrollBy({ top: clientHeight - overlapPixels, behavior: 'instant' })
  return true
}
