import { createMemo, createSignal, createUniqueId, For, type JSX, onMount, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import type { GroupSettingValue } from '../../../../../shared/resources/group-setting-value.js'
import type { PermissionSetting } from '../../../../../shared/resources/permission-settings.js'
import { t } from '../../../language/language.js'
import { type Holder, holderName, holdersOf, suggestedHolders, valueFor } from '../../../state/holders.js'
import { personOf } from '../../../state/people.js'
import { useChat } from '../../chat.js'
import { Chip } from '../chip.js'
import { HolderSign } from './holder-sign.js'

interface HolderEditorProps {
  /** The permission, in words. */
  readonly title: string
  readonly rule: PermissionSetting
  /** The value with which the choice begins. */
  readonly from: GroupSettingValue
  save(value: GroupSettingValue): Promise<void>
  cancel(): void
}

/** The choice of the groups and people that hold a permission. */
export function HolderEditor(props: HolderEditorProps): JSX.Element {
  const chat = useChat()
  const id = createUniqueId()
  const [chosen, setChosen] = createSignal<readonly Holder[]>(holdersOf(unwrap(chat.state), props.from))
  const [words, setWords] = createSignal('')
  const [at, setAt] = createSignal(-1)
  const [news, setNews] = createSignal('')
  let whole: HTMLFieldSetElement | undefined
  let chips: HTMLUListElement | undefined
  let input: HTMLInputElement | undefined
  let list: HTMLDivElement | undefined
  let isSaving = false
  // Unwrapped, because tracking each of ten thousand users for changes would cost more than the search.
  const found = createMemo(() => suggestedHolders(unwrap(chat.state), props.rule, chosen(), words().trim()))
  const typed = (text: string) => {
    setWords(text)
    // Without words, Enter takes no suggestion that the user has not gone to.
    setAt(text.trim() === '' ? -1 : 0)
  }
  // A text box with the focus opens the keyboard of a touch screen over the suggestions.
  const rest = () => (matchMedia('(hover: hover)').matches ? input : whole)?.focus({ preventScroll: true })
  onMount(() => {
    rest()
    // The browser would put the focused part into the middle, and the title or the buttons out of sight.
    whole?.scrollIntoView({ block: 'nearest' })
  })
  const add = (holder: Holder | undefined) => {
    if (!holder) return
    setChosen([...chosen(), holder])
    setNews(t('holders.added', holderName(chat.state, holder)))
    typed('')
  }
  const remove = (holder: Holder) => {
    const place = chosen().indexOf(holder)
    setChosen(chosen().filter(one => one !== holder))
    setNews(t('holders.removed', holderName(chat.state, holder)))
    // Otherwise the browser forgets where the keyboard was.
    if (chosen().length === 0) rest()
    else chips?.querySelectorAll<HTMLElement>('.chip')[Math.min(place, chosen().length - 1)]?.focus()
  }
  const save = async () => {
    if (isSaving) return
    isSaving = true
    await props.save(valueFor(unwrap(chat.state), chosen()))
    isSaving = false
  }
  const keys = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const count = found().length
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') add(found()[at()])
    else if (step !== undefined) {
      // One place beside the suggestions is that of the text itself.
      setAt(((at() + 1 + step + count + 1) % (count + 1)) - 1)
      list?.children[at()]?.scrollIntoView({ block: 'nearest' })
    } else return
    event.preventDefault()
  }
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return
    // Not the whole dialog.
    event.preventDefault()
    event.stopPropagation()
    if (words() === '') props.cancel()
    else typed('')
  }
  const hint = ({ kind, id }: Holder) => {
    if (kind === 'person') return personOf(chat.state, id)?.is_bot ? t('words.bot') : ''
    return chat.state.realm_user_groups[id]?.is_system_group ? t('holders.role') : t('holders.group')
  }
  return (
    <fieldset class="group holder-editor" tabIndex={-1} ref={whole} onKeyDown={leave}>
      <legend>{props.title}</legend>
      <Show when={chosen().length > 0} fallback={<p class="quiet">{t('groups.none')}</p>}>
        <ul class="holders" aria-label={t('holders.chosen')} ref={chips}>
          <For each={chosen()}>
            {holder => (
              <li>
                <Chip
                  name={holderName(chat.state, holder)}
                  sign={<HolderSign holder={holder} />}
                  remove={() => remove(holder)}
                />
              </li>
            )}
          </For>
        </ul>
      </Show>
      <p class="unseen" role="status">
        {news()}
      </p>
      <input
        class="input"
        type="search"
        role="combobox"
        aria-label={t('holders.find')}
        dir="auto"
        placeholder={t('holders.placeholder')}
        aria-autocomplete="list"
        aria-expanded={found().length > 0}
        aria-controls={`${id}-found`}
        aria-activedescendant={at() < 0 ? undefined : `${id}-${at()}`}
        maxLength={100}
        ref={input}
        value={words()}
        onInput={event => typed(event.currentTarget.value)}
        onKeyDown={keys}
      />
      <div class="holder-offers" id={`${id}-found`} role="listbox" aria-label={t('holders.suggestions')} ref={list}>
        <For each={found()}>
          {(holder, index) => (
            <div
              class="offer"
              id={`${id}-${index()}`}
              role="option"
              tabIndex={-1}
              aria-selected={index() === at()}
              // The box keeps the focus, if it has it.
              onPointerDown={event => event.preventDefault()}
              onClick={() => add(holder)}
              onKeyDown={event => event.key === 'Enter' && add(holder)}
            >
              <HolderSign holder={holder} />
              <span class="row-name" dir="auto">
                {holderName(chat.state, holder)}
              </span>
              <span class="offer-hint">{hint(holder)}</span>
            </div>
          )}
        </For>
      </div>
      <Show when={found().length === 0}>
        <p class="quiet">{t('holders.nothing')}</p>
      </Show>
      <div class="person-deeds">
        <button type="button" class="button primary" onClick={() => void save()}>
          {t('words.save')}
        </button>
        <button type="button" class="button" onClick={() => props.cancel()}>
          {t('words.cancel')}
        </button>
      </div>
    </fieldset>
  )
}
