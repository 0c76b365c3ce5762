import { createMemo, createResource, createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { inlineStep } from '../../language/page-language.js'
import { listen } from '../../look/listen.js'
import type { Emoji } from '../../state/reacting.js'
import { placeBeside } from '../beside.js'
import { useChat } from '../chat.js'
import type { NamedEmoji } from '../emoji-data.js'
import { namesOf } from './emoji-names.js'
import { EmojiSign } from './emoji-sign.js'
import { type Section, sectionsOf } from './sections.js'
import './emoji-picker.css'

interface EmojiPickerProps {
  choose(emoji: Emoji): void
  close(): void
}

const columns = 8

/** All emoji by group, with a search. Arrow keys move, Enter chooses, Escape closes. */
export function EmojiPicker(props: EmojiPickerProps): JSX.Element {
  const chat = useChat()
  const [all] = createResource(() => chat.emojiNames())
  const [words, setWords] = createSignal('')
  const opener = document.activeElement as HTMLElement
  let place: HTMLDivElement | undefined
  let input: HTMLInputElement | undefined
  const sections = createMemo(() => {
    const known = all()
    return known ? sectionsOf(chat, known, words()) : []
  })
  const choose = (emoji: NamedEmoji) => props.choose(namesOf(emoji))
  const keys = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') props.close()
    if (place && input) stepInGrid(event, input, [...place.querySelectorAll<HTMLElement>('.emoji-choice')])
  }
  const outside = (event: Event) => {
    if (!place?.contains(event.target as Node)) props.close()
  }
  onMount(() => {
    // In the top layer, so that no later message covers it.
    place?.showPopover()
    if (place) placeBeside(place, place.parentElement as HTMLElement)
    input?.focus()
    listen(window, 'pointerdown', outside)
  })
  onCleanup(() => {
    // Otherwise the browser forgets where the keyboard was.
    if (place?.contains(document.activeElement)) opener.focus()
  })
  return (
    <div
      class="emoji-picker card"
      popover="manual"
      role="dialog"
      aria-label={t('emoji.title')}
      ref={place}
      onKeyDown={keys}
    >
      <input
        class="input"
        type="search"
        placeholder={t('emoji.search')}
        aria-label={t('emoji.search')}
        ref={input}
        onInput={event => setWords(event.currentTarget.value)}
      />
      <div class="emoji-sections">
        <Show when={!all.error} fallback={<p class="notice bad">{String(all.error?.message)}</p>}>
          <For each={sections()}>{section => <SectionOf section={section} choose={choose} />}</For>
        </Show>
      </div>
    </div>
  )
}

function SectionOf(props: { section: Section; choose(emoji: NamedEmoji): void }): JSX.Element {
  return (
    <section>
      <h2>{props.section.title}</h2>
      <div class="emoji-grid">
        <For each={props.section.emoji}>
          {emoji => (
            <button
              type="button"
              class="emoji-choice"
              title={`:${emoji.name}:`}
              aria-label={emoji.name.replaceAll('_', ' ')}
              onClick={() => props.choose(emoji)}
            >
              <EmojiSign custom={emoji.custom} character={emoji.character} />
            </button>
          )}
        </For>
      </div>
    </section>
  )
}

/** Moves the focus by the arrow keys, from the box to the first emoji and back above the first row; Enter in the box chooses the first. */
function stepInGrid(event: KeyboardEvent, input: HTMLElement, buttons: readonly HTMLElement[]): void {
  const step = inlineStep(event) ?? { ArrowDown: columns, ArrowUp: -columns }[event.key]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  if (event.key === 'Enter' && document.activeElement === input) {
    // Otherwise the key presses the button that gets the focus back, too.
    event.preventDefault()
    buttons[0]?.click()
  }
  if (step === undefined || (at < 0 && event.key !== 'ArrowDown')) return
  event.preventDefault()
  const next = at < 0 ? buttons[0] : buttons[at + step]
  ;(next ?? (step < 0 ? input : undefined))?.focus()
}
