import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { createStore, unwrap } from 'solid-js/store'
import { limits } from '../../../../../../shared/limits.js'
import type { ImportChannel, ImportDetails, ImportPerson } from '../../../../../../shared/resources/import-request.js'
import { st } from '../../../../language/settings-language.js'
import { SearchField } from '../../../../look/search-field.js'
import { useChat } from '../../../chat.js'
import { useSaving } from '../../../dialogs/saving.js'
import { nameOf } from '../../../names.js'
import { PeoplePicker } from '../../people-picker.js'

// A longer list is searched.
const shownAtMost = 25

/** What people choose before an import, by keys of the archive. */
interface Choices {
  readonly people: Record<string, number | undefined>
  readonly names: Record<string, string | undefined>
  readonly leftOut: Record<string, boolean | undefined>
}

/** Who people of the archive are, which channels come under which names, and the button that starts the import. */
export function ImportStart(props: { details: ImportDetails; started(): void }): JSX.Element {
  const { save } = useSaving()
  const [choices, choose] = createStore<Choices>({ people: {}, names: {}, leftOut: {} })
  const [isOutOfOrder, setOutOfOrder] = createSignal(false)
  const start = async () => {
    const { people, names, leftOut } = unwrap(choices)
    const params = {
      people: given(people),
      channels: given(names),
      left_out_channels: Object.keys(given(leftOut)),
      out_of_order: isOutOfOrder(),
    }
    if (await save('POST', `/imports/${props.details.id}/start`, params)) props.started()
  }
  return (
    <>
      <Part
        title={st('imports.whoIsWho')}
        meaning={st('imports.whoIsWhoMeaning')}
        find={st('imports.findPeople')}
        all={props.details.people}
      >
        {one => <Person one={one} chosen={choices.people[one.key]} choose={id => choose('people', one.key, id)} />}
      </Part>
      <Part
        title={st('imports.whichChannels')}
        meaning={st('imports.whichChannelsMeaning')}
        find={st('imports.findChannels')}
        all={props.details.channels}
      >
        {one => (
          <Channel
            one={one}
            isLeftOut={choices.leftOut[one.key] === true}
            leaveOut={isLeftOut => choose('leftOut', one.key, isLeftOut || undefined)}
            rename={name => choose('names', one.key, name === '' || name === one.name ? undefined : name)}
          />
        )}
      </Part>
      <label class="choice">
        <input type="checkbox" onChange={event => setOutOfOrder(event.currentTarget.checked)} />
        {st('imports.outOfOrder')}
      </label>
      <p>
        <button type="button" class="button primary" onClick={() => void start()}>
          {st('imports.start')}
        </button>
      </p>
    </>
  )
}

const given = <Value,>(values: Record<string, Value | undefined>): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).filter((one): one is [string, Value] => one[1] !== undefined))

interface PartProps<Item extends { readonly name: string }> {
  readonly title: string
  readonly meaning: string
  readonly find: string
  readonly all: readonly Item[]
  readonly children: (one: Item) => JSX.Element
}

/** A list to choose from, folded away at first, with a search if it is long. */
function Part<Item extends { readonly name: string }>(props: PartProps<Item>): JSX.Element {
  const [words, setWords] = createSignal('')
  const found = createMemo(() => {
    const wanted = words().trim().toLowerCase()
    return props.all.filter(one => one.name.toLowerCase().includes(wanted))
  })
  return (
    <Show when={props.all.length > 0}>
      <details>
        <summary>{props.title}</summary>
        <p class="quiet">{props.meaning}</p>
        <Show when={props.all.length > shownAtMost}>
          <SearchField label={props.find} typed={setWords} />
        </Show>
        <ul class="entries">
          <For each={found().slice(0, shownAtMost)}>{one => <li>{props.children(one)}</li>}</For>
        </ul>
        <Show when={found().length > shownAtMost}>
          <p class="quiet">{st('imports.further', found().length - shownAtMost)}</p>
        </Show>
      </details>
    </Show>
  )
}

function Person(props: {
  one: ImportPerson
  chosen: number | undefined
  choose(id: number | undefined): void
}): JSX.Element {
  const chat = useChat()
  const [isOpen, setOpen] = createSignal(false)
  const fate = () => {
    const id = props.chosen ?? props.one.user_id
    if (id !== null) return st('imports.is', nameOf(chat.state, id))
    if (props.one.is_bot) return st('imports.becomesBot')
    return props.one.email === null || !props.one.is_active ? st('imports.becomesInactive') : st('imports.becomesNew')
  }
  return (
    <>
      <div class="listed">
        <span class="choice-words">
          <strong dir="auto">{props.one.name}</strong>
          <small dir="auto">{[props.one.email ?? st('imports.noAddress'), fate()].join(' · ')}</small>
        </span>
        <span class="listed-tools">
          <button
            type="button"
            class="button"
            aria-expanded={isOpen()}
            aria-label={st('imports.chooseFor', props.one.name)}
            onClick={() => setOpen(!isOpen())}
          >
            {st('imports.choosePerson')}
          </button>
        </span>
      </div>
      <Show when={isOpen()}>
        <label class="unseen" for={`import-${props.one.key}`}>
          {st('imports.chooseFor', props.one.name)}
        </label>
        <PeoplePicker
          id={`import-${props.one.key}`}
          isLocked={false}
          chosen={props.chosen === undefined ? [] : [props.chosen]}
          choose={ids => props.choose(ids.at(-1))}
        />
      </Show>
    </>
  )
}

interface ChannelProps {
  readonly one: ImportChannel
  readonly isLeftOut: boolean
  leaveOut(isLeftOut: boolean): void
  rename(name: string): void
}

function Channel(props: ChannelProps): JSX.Element {
  const words = () => [
    props.one.is_private ? st('imports.isPrivate') : '',
    props.one.is_archived ? st('imports.isArchived') : '',
    st('imports.members', props.one.members),
  ]
  return (
    <div class="listed">
      <label class="choice choice-words">
        <span>
          <input
            type="checkbox"
            checked={!props.isLeftOut}
            onChange={event => props.leaveOut(!event.currentTarget.checked)}
          />{' '}
          <strong dir="auto">{props.one.name}</strong>
        </span>
        <small>{words().filter(Boolean).join(' · ')}</small>
      </label>
      <input
        class="input short"
        dir="auto"
        value={props.one.name}
        maxLength={limits.max_stream_name_length}
        aria-label={st('imports.nameOf', props.one.name)}
        disabled={props.isLeftOut}
        onInput={event => props.rename(event.currentTarget.value.trim())}
      />
    </div>
  )
}
