import { createResource, For, type JSX, Show } from 'solid-js'
import type { ImportDetails, ImportPlan, ImportRequest } from '../../../../../../shared/resources/import-request.js'
import { numberText } from '../../../../language/format.js'
import { st } from '../../../../language/settings-language.js'
import { ErrorNotice } from '../../../../look/error-notice.js'
import { SureButton } from '../../../../look/sure-button.js'
import { useChat } from '../../../chat.js'
import { Fact } from '../../../dialogs/fact.js'
import { useSaving } from '../../../dialogs/saving.js'
import { dateText } from '../../../moment-text.js'
import { ImportStart } from './import-start.js'

/** What an archive has, what is wrong with it, and what can be chosen, or what was imported. */
export function ImportDetail(props: {
  id: number
  name: string
  state: ImportRequest['state']
  changed(): void
}): JSX.Element {
  const chat = useChat()
  const [found] = createResource(
    () => ({ id: props.id, state: props.state }),
    async ({ id }) => (await chat.ask('GET', `/imports/${id}`)).import as ImportDetails,
  )
  const details = () => (found.error ? undefined : found.latest)
  return (
    <>
      <ErrorNotice text={found.error ? String(found.error.message) : ''} />
      <Show when={details()}>
        {one => (
          <>
            <Show when={one().plan}>{plan => <Plan plan={plan()} written={one().written} />}</Show>
            <Faults faults={one().faults} />
            <Show when={one().undone}>{undone => <Undone undone={undone()} />}</Show>
            <Show when={one().plan && ['ready', 'failed'].includes(one().state)}>
              <ImportStart details={one()} started={props.changed} />
            </Show>
            <Show when={one().can_be_undone}>
              <ImportUndo id={props.id} name={props.name} changed={props.changed} />
            </Show>
          </>
        )}
      </Show>
    </>
  )
}

/** The button that takes an import away, and what it does. */
function ImportUndo(props: { id: number; name: string; changed(): void }): JSX.Element {
  const { save } = useSaving()
  const undo = async () => {
    if (await save('POST', `/imports/${props.id}/undo`, {})) props.changed()
  }
  return (
    <>
      <p class="quiet">{st('imports.undoMeaning')}</p>
      <p>
        <SureButton
          title={st('imports.undo')}
          label={st('imports.undoOne', props.name)}
          sureTitle={st('imports.reallyUndo')}
          work={undo}
        />
      </p>
    </>
  )
}

function Undone(props: { undone: NonNullable<ImportDetails['undone']> }): JSX.Element {
  return (
    <>
      <p>{st('imports.undone', props.undone.messages, props.undone.channels, props.undone.accounts)}</p>
      <Show when={props.undone.accounts_that_stay > 0}>
        <p>{st('imports.accountsStay', props.undone.accounts_that_stay)}</p>
      </Show>
      <Names title={st('imports.channelsStay')} names={props.undone.channels_that_stay} />
    </>
  )
}

function Plan(props: { plan: ImportPlan; written: ImportDetails['written'] }): JSX.Element {
  const chat = useChat()
  const day = (time: number | null) => (time === null ? '' : dateText(chat.state, time * 1000))
  const people = () => props.plan.people
  const channels = () => props.plan.channels
  const messages = () => props.plan.messages
  const files = () => props.plan.files
  return (
    <>
      <dl class="facts">
        <Fact name={st('imports.people')}>
          {st('imports.peopleCounts', people().people, people().here, people().deactivated, people().bots)}
        </Fact>
        <Fact name={st('imports.channels')}>
          {st('imports.channelCounts', channels().public, channels().private, channels().archived)}
        </Fact>
        <Fact name={st('imports.talks')}>{numberText(props.plan.conversations)}</Fact>
        <Fact name={st('imports.messages')}>
          {st('imports.messageCounts', messages().kept, messages().source, messages().replies)}
          <Show when={messages().first !== null}>
            <br />
            {st('imports.period', day(messages().first), day(messages().last))}
          </Show>
        </Fact>
        <Fact name={st('imports.files')}>
          {st('imports.fileCounts', files().in_archive, files().to_download, files().links)}
        </Fact>
      </dl>
      <Counts title={st('imports.written')} counts={props.written} />
      <Names title={st('imports.withoutAddress')} names={people().without_address} />
      <Names title={st('imports.renamed')} names={channels().renamed} />
      <Counts title={st('imports.dropped')} counts={messages().dropped} />
      <Counts title={st('imports.lost')} counts={files().lost} />
    </>
  )
}

/** Names behind their number. */
function Names(props: { title: string; names: readonly string[] }): JSX.Element {
  return (
    <Show when={props.names.length > 0}>
      <details>
        <summary>{`${props.title}: ${numberText(props.names.length)}`}</summary>
        <ul>
          <For each={props.names}>{name => <li dir="auto">{name}</li>}</For>
        </ul>
      </details>
    </Show>
  )
}

function Counts(props: { title: string; counts: Readonly<Record<string, number>> }): JSX.Element {
  const all = () => Object.entries(props.counts)
  return (
    <Show when={all().length > 0}>
      <details>
        <summary>{`${props.title}: ${numberText(all().reduce((sum, [, count]) => sum + count, 0))}`}</summary>
        <ul>
          <For each={all()}>{([what, count]) => <li dir="auto">{`${what}: ${numberText(count)}`}</li>}</For>
        </ul>
      </details>
    </Show>
  )
}

function Faults(props: { faults: ImportDetails['faults'] }): JSX.Element {
  const count = () => props.faults.reduce((sum, one) => sum + one.count, 0)
  return (
    <Show when={props.faults.length > 0}>
      <details>
        <summary>{`${st('imports.faults')}: ${numberText(count())}`}</summary>
        <For each={props.faults}>
          {one => (
            <>
              <p dir="auto">{`${one.kind}: ${numberText(one.count)}`}</p>
              <ul>
                <For each={one.first}>{place => <li dir="auto">{place}</li>}</For>
              </ul>
            </>
          )}
        </For>
      </details>
    </Show>
  )
}
