import { createMemo, createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import { locale } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { rankOf } from '../../../state/completion.js'
import { useChat } from '../../chat.js'
import { createChoosing } from '../../choosing.js'
import { useSaving } from '../../dialogs/saving.js'
import { useNow } from '../../now.js'
import { chosenId, OfferList } from '../../offer-list.js'
import { Entry } from '../entry.js'

const shownAtMost = 8

/** The time zone of the profile, found by its name or its offset. */
export function TimeZone(): JSX.Element {
  return (
    <Entry name="timezone" hint={st('hints.timezone')}>
      <Finding />
    </Entry>
  )
}

function Finding(): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const now = useNow()
  const id = createUniqueId()
  const [words, setWords] = createSignal<string>()
  const present = () => chat.state.user_settings.timezone
  const found = createMemo(() => {
    const typed = words()?.trim()
    return typed ? zonesFor(typed, now()).slice(0, shownAtMost) : []
  })
  const choosing = createChoosing(found, 0)
  const choose = (zone: string) => {
    setWords(undefined)
    void save('PATCH', '/settings', { timezone: zone })
  }
  const keys = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const chosen = choosing.chosen()
    if (event.key === 'Enter' && chosen) choose(chosen)
    else if (event.key === 'Escape' && words() !== undefined) setWords(undefined)
    else if (!choosing.step(event)) return
    event.preventDefault()
  }
  return (
    <div class="field">
      <label for={id}>{st('rows.timezone')}</label>
      <div class="row-tools">
        <input
          class="input"
          id={id}
          role="combobox"
          autocomplete="off"
          aria-autocomplete="list"
          aria-expanded={found().length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosenId(`${id}-list`, choosing)}
          placeholder={st('frame.findZone')}
          value={words() ?? (present() && zoneTitle(present(), now()))}
          onFocus={event => event.currentTarget.select()}
          onInput={event => {
            setWords(event.currentTarget.value)
            choosing.choose(0)
          }}
          onBlur={event => {
            setWords(undefined)
            event.currentTarget.value = present() && zoneTitle(present(), now())
          }}
          onKeyDown={keys}
        />
        <Show when={present()}>
          <button type="button" class="button" onClick={() => choose('')}>
            {st('frame.hideZone')}
          </button>
        </Show>
      </div>
      <OfferList id={`${id}-list`} class="zones" label={st('frame.zones')} choosing={choosing} take={choose}>
        {zone => (
          <>
            <span class="row-name">{zoneName(zone)}</span>
            <span class="offer-hint">{`${offsetOf(zone, now())} · ${timeIn(zone, now())}`}</span>
          </>
        )}
      </OfferList>
      <Show when={words()?.trim() && found().length === 0}>
        <p class="quiet" role="status">
          {st('frame.noZone')}
        </p>
      </Show>
    </div>
  )
}

const zoneName = (zone: string): string => zone.replaceAll('_', ' ').replaceAll('/', ' / ')

const zoneTitle = (zone: string, now: number): string => `${zoneName(zone)} (${offsetOf(zone, now)})`

const timeIn = (zone: string, now: number): string =>
  new Date(now).toLocaleTimeString(locale(), { timeZone: zone, hour: 'numeric', minute: '2-digit' })

/** `UTC+05:30`: the present offset, which daylight saving time changes. */
function offsetOf(zone: string, now: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(now)
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '')
  return st('frame.utc', offset || '±00:00')
}

/** Zones of which a part of the name begins with the words, or whose offset has them; those that begin with the city first. */
function zonesFor(words: string, now: number): string[] {
  const all = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])]
  const sought = words.replaceAll('/', ' ').replace(/\s+/g, ' ')
  const isOffset = /^(utc)?\s*[+-]\d/i.test(words)
  if (isOffset) return all.filter(zone => offsetOf(zone, now).includes(words.replace(/^utc\s*/i, '')))
  const rank = (zone: string) => {
    const spaced = zone.replaceAll('_', ' ')
    const whole = rankOf(spaced.replaceAll('/', ' '), sought)
    return rankOf(spaced.slice(spaced.lastIndexOf('/') + 1), sought) === 0 ? 0 : whole < 0 ? whole : whole + 1
  }
  return all
    .map(zone => [zone, rank(zone)] as const)
    .filter(([, at]) => at >= 0)
    .sort(([, a], [, b]) => a - b)
    .map(([zone]) => zone)
}
