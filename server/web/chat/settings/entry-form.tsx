import { createSignal, createUniqueId, For, type JSX, Match, onMount, Show, Switch } from 'solid-js'
import { createStore } from 'solid-js/store'
import { byText } from '../../language/format.js'
import { t } from '../../language/language.js'
import { type SettingsKey, st } from '../../language/settings-language.js'
import { hasMouse } from '../../look/media.js'
import { openChannels } from '../../state/channels.js'
import type { ChatState } from '../../state/chat-state.js'
import { mayAddToGroup } from '../../state/group-permissions.js'
import { useChat } from '../chat.js'
import type { Field, Written } from './listed.js'

interface EntryFormProps {
  readonly label: string
  /** The title of its button. */
  readonly submit: string
  readonly fields: readonly Field[]
  readonly written: Written
  /** False: the server has refused it. */
  save(written: Written): Promise<boolean>
  cancel(): void
}

/** The form of an entry of a list. */
export function EntryForm(props: EntryFormProps): JSX.Element {
  const chat = useChat()
  const [written, setWritten] = createStore<Record<string, string>>({
    ...startOf(props.fields, chat.state),
    ...props.written,
  })
  const [isBusy, setBusy] = createSignal(false)
  let form: HTMLFormElement | undefined
  onMount(() => {
    if (hasMouse()) form?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  })
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy()) return
    setBusy(true)
    await props.save({ ...written })
    setBusy(false)
  }
  return (
    <form
      class="entry-form"
      aria-label={props.label}
      ref={form}
      onSubmit={submit}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.isComposing) return
        event.preventDefault()
        props.cancel()
      }}
    >
      <For each={props.fields}>
        {field => (
          <Show when={field.isFor?.(written) ?? true}>
            <FieldOf field={field} value={written[field.name] ?? ''} set={value => setWritten(field.name, value)} />
          </Show>
        )}
      </For>
      <div class="person-deeds">
        <button type="submit" class="button primary" disabled={isBusy()}>
          {props.submit}
        </button>
        <button type="button" class="button" onClick={() => props.cancel()}>
          {t('words.cancel')}
        </button>
      </div>
    </form>
  )
}

/** A choice begins with its first option. */
const startOf = (fields: readonly Field[], state: ChatState): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap(({ name, options }) => {
      const [first] = options?.(state) ?? []
      return first ? [[name, String(first[0])]] : []
    }),
  )

interface FieldProps {
  readonly field: Field
  readonly value: string
  set(value: string): void
}

function FieldOf(props: FieldProps): JSX.Element {
  const chat = useChat()
  const title = () => st(`fields.${props.field.name}`)
  return (
    <Switch fallback={<TypedField {...props} />}>
      <Match when={props.field.kind === 'switch'}>
        <label class="check">
          <input
            type="checkbox"
            checked={props.value !== ''}
            onChange={event => props.set(event.currentTarget.checked ? 'true' : '')}
          />
          {title()}
        </label>
      </Match>
      <Match when={props.field.kind === 'channels'}>
        <BoxField title={title()} boxes={openPublic(chat.state)} value={props.value} set={props.set} />
      </Match>
      <Match when={props.field.kind === 'groups'}>
        <BoxField title={title()} boxes={groupsToFill(chat.state)} value={props.value} set={props.set} />
      </Match>
    </Switch>
  )
}

/** A field with a label above it, and what it says of the value below. */
function TypedField(props: FieldProps): JSX.Element {
  const id = createUniqueId()
  const hint = () => st(`fieldHints.${props.field.name}` as SettingsKey) as string | undefined
  return (
    <div class="field">
      <label for={id}>{st(`fields.${props.field.name}`)}</label>
      <FieldBox {...props} id={id} hintId={hint() && `${id}-hint`} />
      <Show when={hint()}>
        <p class="quiet" id={`${id}-hint`}>
          {hint()}
        </p>
      </Show>
      {props.field.problem?.()}
    </div>
  )
}

function FieldBox(props: FieldProps & { readonly id: string; readonly hintId: string | undefined }): JSX.Element {
  const chat = useChat()
  const shared = {
    id: props.id,
    class: 'input',
    get required() {
      return !props.field.isOptional
    },
    get 'aria-describedby'() {
      return props.hintId
    },
  }
  const typed = (event: { readonly currentTarget: { readonly value: string } }) => props.set(event.currentTarget.value)
  return (
    <Switch
      fallback={<input {...shared} dir="auto" maxLength={props.field.longest} value={props.value} onInput={typed} />}
    >
      <Match when={props.field.kind === 'choice'}>
        <select {...shared} onChange={typed}>
          <For each={props.field.options?.(chat.state)}>
            {([value, text]) => (
              <option value={String(value)} selected={String(value) === props.value}>
                {text()}
              </option>
            )}
          </For>
        </select>
      </Match>
      <Match when={props.field.kind === 'lines'}>
        <textarea {...shared} dir="auto" rows={4} maxLength={props.field.longest} value={props.value} onInput={typed} />
      </Match>
    </Switch>
  )
}

/** An entry of a list of boxes. */
type Box = readonly [id: number, name: string]

const byName = (boxes: Box[]): Box[] => boxes.sort(([, a], [, b]) => byText(a, b))

const openPublic = (state: ChatState): Box[] =>
  byName(
    openChannels(state)
      .filter(channel => !channel.invite_only)
      .map(({ stream_id, name }): Box => [stream_id, `#${name}`]),
  )

/** The groups to which the user may add people. */
const groupsToFill = (state: ChatState): Box[] =>
  byName(
    Object.values(state.realm_user_groups)
      .filter(group => !group.deactivated && mayAddToGroup(state, group))
      .map(({ id, name }): Box => [id, `@${name}`]),
  )

/** Any number of the entries; nothing without one. */
function BoxField(props: {
  title: string
  boxes: readonly Box[]
  value: string
  set(value: string): void
}): JSX.Element {
  const chosen = () => props.value.split(',').filter(Boolean)
  const toggle = (id: number, isOn: boolean) => {
    const others = chosen().filter(one => one !== String(id))
    props.set((isOn ? [...others, String(id)] : others).join(','))
  }
  return (
    <Show when={props.boxes.length > 0}>
      <fieldset class="group box-list">
        <legend>{props.title}</legend>
        <For each={props.boxes}>
          {([id, name]) => (
            <label class="check">
              <input
                type="checkbox"
                checked={chosen().includes(String(id))}
                onChange={event => toggle(id, event.currentTarget.checked)}
              />
              <span dir="auto">{name}</span>
            </label>
          )}
        </For>
      </fieldset>
    </Show>
  )
}
