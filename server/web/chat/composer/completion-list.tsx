import { createEffect, createSignal, For, type JSX, on, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { type Wanted, wantedAt } from '../../state/completion.js'
import { Avatar } from '../avatar.js'
import { useChat } from '../chat.js'
import { EmojiSign } from '../emoji/emoji-sign.js'
import { type Offer, offersFor } from './offers.js'

export interface Completion {
  /** Call this after the text or the cursor changed. */
  look(): void
  /** True if the list has handled the key. */
  key(event: KeyboardEvent): boolean
  close(): void
  readonly list: () => JSX.Element
  readonly isOpen: () => boolean
  readonly activeId: () => string | undefined
}

/** Suggests users, channels, topics and emoji for the text before the cursor of a text box. */
export function createCompletion(box: () => HTMLTextAreaElement | undefined): Completion {
  const chat = useChat()
  const [wanted, setWanted] = createSignal<Wanted>()
  const [offers, setOffers] = createSignal<readonly Offer[]>([])
  const [at, setAt] = createSignal(0)
  createEffect(
    on(wanted, now => {
      setAt(0)
      if (!now) return setOffers([])
      // Ignore an answer to an earlier request.
      void offersFor(chat, now).then(
        found => wanted() === now && setOffers(found),
        () => setOffers([]),
      )
    }),
  )
  const isOpen = () => wanted() !== undefined && offers().length > 0
  const close = () => setWanted(undefined)
  const take = (offer: Offer) => {
    const element = box()
    const now = wanted()
    if (!element || !now) return
    element.setRangeText(offer.text, now.from, element.selectionStart, 'end')
    element.dispatchEvent(new InputEvent('input', { bubbles: true }))
    element.focus()
    close()
  }
  return {
    isOpen,
    close,
    activeId: () => (isOpen() ? `offer-${at()}` : undefined),
    look() {
      const element = box()
      const next =
        element && element.selectionStart === element.selectionEnd
          ? wantedAt(element.value.slice(0, element.selectionStart))
          : undefined
      setWanted(now => (now && next && JSON.stringify(now) === JSON.stringify(next) ? now : next))
    },
    key(event) {
      if (!isOpen()) return false
      const count = offers().length
      if (event.key === 'ArrowDown') setAt((at() + 1) % count)
      else if (event.key === 'ArrowUp') setAt((at() + count - 1) % count)
      else if (event.key === 'Escape') close()
      else if (event.key === 'Enter' || event.key === 'Tab') take(offers()[at()] as Offer)
      else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
    list: () => (
      <Show when={isOpen()}>
        <div class="offers card" id="offers" role="listbox" aria-label={t('composer.suggestions')}>
          <For each={offers()}>
            {(offer, index) => (
              <div
                class="offer"
                id={`offer-${index()}`}
                role="option"
                tabIndex={-1}
                aria-selected={index() === at()}
                onPointerDown={event => {
                  event.preventDefault()
                  take(offer)
                }}
              >
                <Show
                  when={offer.userId}
                  fallback={
                    <span class="offer-sign">
                      <EmojiSign custom={offer.custom} character={offer.sign ?? ''} />
                    </span>
                  }
                >
                  {id => <Avatar userId={id()} size="small" hasPresence />}
                </Show>
                <span class="row-name" dir="auto">
                  {offer.title}
                </span>
                <span class="offer-hint" dir="auto">
                  {offer.hint}
                </span>
              </div>
            )}
          </For>
        </div>
      </Show>
    ),
  }
}
