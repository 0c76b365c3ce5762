import { createMemo, createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { byText, numberText } from '../../../language/format.js'
import { t } from '../../../language/language.js'
import { SearchField } from '../../../look/search-field.js'
import { rankOf } from '../../../state/completion.js'
import { type Holder, holderName } from '../../../state/holders.js'
import { Avatar } from '../../avatar.js'
import { useChat } from '../../chat.js'
import { useView } from '../../view.js'
import { HolderSign } from './holder-sign.js'

const shownAtMost = 100

/** Ids of groups and of users. */
interface Members {
  readonly groups: readonly number[]
  readonly people: readonly number[]
}

interface MemberListProps {
  readonly members: Members
  readonly mayAdd: boolean
  mayRemove(member: Holder): boolean
  /** What may be added, by the beginning of a word of its name. */
  suggest(words: string): Members
  add(member: Holder): unknown
  remove(member: Holder): unknown
  /** What it means to remove oneself. */
  readonly leaving: string
}

const group = (id: number): Holder => ({ kind: 'group', id })
const person = (id: number): Holder => ({ kind: 'person', id })

/** The members of a channel or of a group; who may, adds and removes them. */
export function MemberList(props: MemberListProps): JSX.Element {
  const chat = useChat()
  const [words, setWords] = createSignal('')
  const id = createUniqueId()
  const label = () => (props.mayAdd ? t('channel.findOrAdd') : t('channel.find'))
  // Ids, because other objects at each change would take the focus from the buttons.
  const matching = (ids: readonly number[], holder: (id: number) => Holder) => {
    const name = (id: number) => holderName(unwrap(chat.state), holder(id))
    const found = ids.filter(id => words() === '' || rankOf(name(id), words()) >= 0)
    return found.sort((a, b) => byText(name(a), name(b)))
  }
  const groups = createMemo(() => matching(props.members.groups, group))
  const people = createMemo(() => matching(props.members.people, person))
  const addable = createMemo(
    (): Members => (words() === '' || !props.mayAdd ? { groups: [], people: [] } : props.suggest(words())),
  )
  const unshown = () => people().length - shownAtMost
  return (
    <>
      <SearchField label={label()} typed={words => setWords(words.trim())} />
      <Show when={addable().groups.length + addable().people.length > 0}>
        <section aria-labelledby={`${id}-add`}>
          <h3 class="part-title" id={`${id}-add`}>
            {t('words.add')}
          </h3>
          <ul class="choices">
            <For each={addable().groups}>{id => <Addition member={group(id)} of={props} />}</For>
            <For each={addable().people}>{id => <Addition member={person(id)} of={props} />}</For>
          </ul>
        </section>
      </Show>
      <section aria-labelledby={`${id}-members`}>
        <h3 class="part-title" id={`${id}-members`}>
          {t('channel.members')}{' '}
          <span class="quiet">{numberText(props.members.groups.length + props.members.people.length)}</span>
        </h3>
        <ul class="choices">
          <For each={groups()}>{id => <Present member={group(id)} of={props} />}</For>
          <For each={people().slice(0, shownAtMost)}>{id => <Present member={person(id)} of={props} />}</For>
        </ul>
        <Show when={unshown() > 0}>
          <p class="quiet">{t('channel.andMore', unshown())}</p>
        </Show>
      </section>
    </>
  )
}

interface MemberProps {
  readonly member: Holder
  readonly of: MemberListProps
}

/** One that may be added. */
function Addition(props: MemberProps): JSX.Element {
  const chat = useChat()
  return (
    <Row member={props.member}>
      <button
        type="button"
        class="button"
        aria-label={t('channel.add', holderName(chat.state, props.member))}
        onClick={() => void props.of.add(props.member)}
      >
        {t('words.add')}
      </button>
    </Row>
  )
}

/** One that is a member. */
function Present(props: MemberProps): JSX.Element {
  const chat = useChat()
  const isOwn = () => props.member.kind === 'person' && props.member.id === chat.state.user_id
  return (
    <Row member={props.member}>
      <Show when={props.of.mayRemove(props.member)}>
        <button
          type="button"
          class="button"
          aria-label={isOwn() ? props.of.leaving : t('words.removeOne', holderName(chat.state, props.member))}
          onClick={() => void props.of.remove(props.member)}
        >
          {isOwn() ? t('words.leave') : t('words.remove')}
        </button>
      </Show>
    </Row>
  )
}

function Row(props: { member: Holder; children: JSX.Element }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const { kind, id } = props.member
  return (
    <li class="choice">
      <button
        type="button"
        class="choice-main"
        aria-haspopup="dialog"
        onClick={() => view.open(kind === 'person' ? { person: id } : { group: id })}
      >
        <Show when={kind === 'person'} fallback={<HolderSign holder={props.member} />}>
          <Avatar userId={id} hasPresence />
        </Show>
        <span class="choice-words">
          <strong dir="auto">{holderName(chat.state, props.member)}</strong>
        </span>
      </button>
      {props.children}
    </li>
  )
}
