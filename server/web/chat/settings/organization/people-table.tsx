import { createMemo, createSignal, For, type JSX, onMount, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { Virtualizer } from 'virtua/solid'
import { t } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { SearchField } from '../../../look/search-field.js'
import { filterPeople } from '../../../state/organization-people.js'
import { personOf } from '../../../state/people.js'
import { roleOf } from '../../../state/profile.js'
import { settingsAddress } from '../../../state/settings-place.js'
import { Avatar } from '../../avatar.js'
import { useChat } from '../../chat.js'
import { lastSeen } from './last-seen.js'

const rowPixels = 56
const roles = [100, 200, 300, 400, 600] as const

/** The accounts of the organization; only those near the visible area are in the document. */
export function PeopleTable(): JSX.Element {
  const chat = useChat()
  const [words, setWords] = createSignal('')
  const [role, setRole] = createSignal<number | 'bots'>(0)
  const [isActive, setActive] = createSignal(true)
  const found = createMemo(() => {
    // People who come and go change the list. To track the names of ten thousand would cost more than to sort them.
    const people = isActive() ? chat.state.realm_users : chat.state.realm_non_active_users
    void Object.keys(people).length
    return filterPeople(unwrap(chat.state), { words: words(), role: role(), isActive: isActive() })
  })
  const [body, setBody] = createSignal<HTMLElement>()
  let place: HTMLDivElement | undefined
  onMount(() => setBody(place?.closest<HTMLElement>('.settings-body') ?? undefined))
  const top = () => (place && body() ? place.offsetTop - (body()?.offsetTop ?? 0) : 0)
  return (
    <>
      <div class="people-tools">
        <SearchField label={st('people.find')} typed={setWords} />
        <select
          class="input"
          aria-label={st('people.role')}
          onChange={({ currentTarget: { value } }) => setRole(value === 'bots' ? value : Number(value))}
        >
          <option value="0">{st('people.allRoles')}</option>
          <For each={roles}>{one => <option value={one}>{t(`person.role.${one}`)}</option>}</For>
          <option value="bots">{st('people.bots')}</option>
        </select>
        <select
          class="input"
          aria-label={st('people.state')}
          onChange={({ currentTarget: { value } }) => setActive(value === 'active')}
        >
          <option value="active">{st('people.active')}</option>
          <option value="deactivated">{st('people.deactivated')}</option>
        </select>
      </div>
      <p class="quiet" role="status">
        {st('people.count', found().length)}
      </p>
      <div class="people-rows" ref={place}>
        <Show when={body()}>
          {scroller => (
            <Virtualizer data={found()} scrollRef={scroller()} startMargin={top()} itemSize={rowPixels}>
              {id => <PersonRow userId={id} />}
            </Virtualizer>
          )}
        </Show>
      </div>
    </>
  )
}

function PersonRow(props: { userId: number }): JSX.Element {
  const chat = useChat()
  const person = () => personOf(chat.state, props.userId)
  const words = () => {
    const known = person()
    return known ? [roleOf(known), known.delivery_email, lastSeen(chat, props.userId)].filter(Boolean).join(' · ') : ''
  }
  return (
    <a
      class="choice-main person-link"
      href={`#${settingsAddress({ about: 'organization', section: 'people', entry: String(props.userId) })}`}
    >
      <Avatar userId={props.userId} hasPresence={props.userId in chat.state.realm_users} />
      <span class="choice-words">
        <strong dir="auto">{person()?.full_name}</strong>
        <small>{words()}</small>
      </span>
    </a>
  )
}
