import { createUniqueId, For, type JSX, onMount, Show } from 'solid-js'
import type { GroupSettingValue } from '../../../../../shared/resources/group-setting-value.js'
import type { PermissionSetting } from '../../../../../shared/resources/permission-settings.js'
import { t } from '../../../language/language.js'
import { hasMouse } from '../../../look/media.js'
import { type Holder, holderName } from '../../../state/holders.js'
import { personOf } from '../../../state/people.js'
import { useChat } from '../../chat.js'
import { Chip } from '../../chip.js'
import { chosenId, OfferList } from '../../offer-list.js'
import { type ChoosingHolders, createChoosingHolders } from './choosing-holders.js'
import { HolderSign } from './holder-sign.js'
import './holders.css'

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
  const holders = createChoosingHolders(useChat(), () => props.rule, props.from)
  let whole: HTMLFieldSetElement | undefined
  let input: HTMLInputElement | undefined
  let isSaving = false
  // The keyboard of a touch screen would be over the suggestions.
  const rest = () => (hasMouse() ? input : whole)?.focus({ preventScroll: true })
  onMount(() => {
    rest()
    // The browser would put the focused part into the middle, and the title or the buttons out of sight.
    whole?.scrollIntoView({ block: 'nearest' })
  })
  const save = async () => {
    if (isSaving) return
    isSaving = true
    await props.save(holders.value())
    isSaving = false
  }
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return
    // Not the whole dialog.
    event.preventDefault()
    event.stopPropagation()
    if (holders.words() === '') props.cancel()
    else holders.typed('')
  }
  return (
    <fieldset class="group holder-editor" tabIndex={-1} ref={whole} onKeyDown={leave}>
      <legend>{props.title}</legend>
      <Chosen holders={holders} emptied={rest} />
      <Finding
        holders={holders}
        made={element => {
          input = element
        }}
      />
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

/** The chosen ones, to remove them. */
function Chosen(props: { holders: ChoosingHolders; emptied(): void }): JSX.Element {
  const chat = useChat()
  let chips: HTMLUListElement | undefined
  const remove = (holder: Holder) => {
    const place = props.holders.chosen().indexOf(holder)
    props.holders.remove(holder)
    const left = props.holders.chosen().length
    // Otherwise the browser forgets where the keyboard was.
    if (left === 0) props.emptied()
    else chips?.querySelectorAll<HTMLElement>('.chip')[Math.min(place, left - 1)]?.focus()
  }
  return (
    <>
      <Show when={props.holders.chosen().length > 0} fallback={<p class="quiet">{t('groups.none')}</p>}>
        <ul class="holders" aria-label={t('holders.chosen')} ref={chips}>
          <For each={props.holders.chosen()}>
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
        {props.holders.news()}
      </p>
    </>
  )
}

/** The box that finds others, and its suggestions. */
function Finding(props: { holders: ChoosingHolders; made(input: HTMLInputElement): void }): JSX.Element {
  const chat = useChat()
  const id = createUniqueId()
  const { suggestions } = props.holders
  const keys = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const chosen = suggestions.chosen()
    if (event.key === 'Enter' && chosen) props.holders.add(chosen)
    else if (event.key !== 'Enter' && !suggestions.step(event)) return
    event.preventDefault()
  }
  const hint = ({ kind, id }: Holder) => {
    if (kind === 'person') return personOf(chat.state, id)?.is_bot ? t('words.bot') : ''
    return chat.state.realm_user_groups[id]?.is_system_group ? t('holders.role') : t('holders.group')
  }
  return (
    <>
      <input
        class="input"
        type="search"
        role="combobox"
        aria-label={t('holders.find')}
        dir="auto"
        placeholder={t('holders.placeholder')}
        aria-autocomplete="list"
        aria-expanded={suggestions.offers().length > 0}
        aria-controls={id}
        aria-activedescendant={chosenId(id, suggestions)}
        maxLength={100}
        ref={element => props.made(element)}
        value={props.holders.words()}
        onInput={event => props.holders.typed(event.currentTarget.value)}
        onKeyDown={keys}
      />
      <OfferList
        id={id}
        class="holder-offers"
        label={t('holders.suggestions')}
        choosing={suggestions}
        take={props.holders.add}
      >
        {holder => (
          <>
            <HolderSign holder={holder} />
            <span class="row-name" dir="auto">
              {holderName(chat.state, holder)}
            </span>
            <span class="offer-hint">{hint(holder)}</span>
          </>
        )}
      </OfferList>
      <Show when={suggestions.offers().length === 0}>
        <p class="quiet">{t('holders.nothing')}</p>
      </Show>
    </>
  )
}
