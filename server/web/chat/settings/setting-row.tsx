import { createUniqueId, For, type JSX, Match, Show, Switch } from 'solid-js'
import { isForOwners } from '../../../../shared/resources/organization-rights.js'
import { type SettingsKey, st } from '../../language/settings-language.js'
import { isAdministrator } from '../../state/permissions.js'
import { useChat } from '../chat.js'
import { MarkdownPreview } from '../dialogs/markdown-preview.js'
import { useSaving } from '../dialogs/saving.js'
import { ChannelChoice } from './channel-choice.js'
import { Entry } from './entry.js'
import { Holders } from './holders.js'
import type { Row, Value } from './rows.js'
import { mayChange, presentValue, saveValue } from './setting-value.js'

type Of<Kind extends Row['kind']> = { readonly row: Extract<Row, { readonly kind: Kind }> }

/** A setting with its control; without the right to change it, to read. */
export function SettingRow(props: { row: Row }): JSX.Element {
  const chat = useChat()
  const hint = () => {
    const { scope, name } = props.row
    const isClosed = scope === 'organization' && isForOwners(name) && !mayChange(chat, props.row)
    const words = st(`hints.${name}` as SettingsKey) as string | undefined
    return [words, isClosed && isAdministrator(chat.state) && st('frame.onlyOwners')].filter(Boolean).join(' ')
  }
  return (
    <Entry name={props.row.name} hint={hint()}>
      <Switch>
        <Match when={props.row.kind === 'switch'}>
          <Toggle {...(props as Of<'switch'>)} />
        </Match>
        <Match when={props.row.kind === 'choice'}>
          <Choice {...(props as Of<'choice'>)} />
        </Match>
        <Match when={props.row.kind === 'text'}>
          <Text {...(props as Of<'text'>)} />
        </Match>
        <Match when={props.row.kind === 'number'}>
          <NumberBox {...(props as Of<'number'>)} />
        </Match>
        <Match when={props.row.kind === 'channel'}>
          <ChannelChoice row={props.row} />
        </Match>
        <Match when={props.row.kind === 'holders'}>
          <Holders row={props.row} />
        </Match>
      </Switch>
    </Entry>
  )
}

const titleOf = ({ name }: Row): string => st(`rows.${name}`)

function Toggle(props: Of<'switch'>): JSX.Element {
  const chat = useChat()
  const saving = useSaving()
  const isOn = () => Boolean(presentValue(chat, props.row)) !== Boolean(props.row.isReversed)
  const toggle = async (element: HTMLInputElement) => {
    const wanted = element.checked
    if (!(await saveValue(saving, props.row, wanted !== Boolean(props.row.isReversed)))) element.checked = !wanted
  }
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn()}
        disabled={!mayChange(chat, props.row)}
        onChange={event => void toggle(event.currentTarget)}
      />
      {titleOf(props.row)}
    </label>
  )
}

function Choice(props: Of<'choice'>): JSX.Element {
  const chat = useChat()
  const saving = useSaving()
  const id = createUniqueId()
  const at = () => props.row.options().findIndex(([value]) => value === presentValue(chat, props.row))
  const change = async (element: HTMLSelectElement) => {
    const value = props.row.options()[Number(element.value)]?.[0]
    if (!(await saveValue(saving, props.row, value))) element.value = String(at())
  }
  return (
    <div class="field">
      <label for={id}>{titleOf(props.row)}</label>
      <select
        class="input"
        id={id}
        disabled={!mayChange(chat, props.row)}
        onChange={event => void change(event.currentTarget)}
      >
        <Show when={at() < 0}>
          <option value="-1" selected>
            {String(presentValue(chat, props.row))}
          </option>
        </Show>
        <For each={props.row.options()}>
          {([, text], index) => (
            <option value={index()} selected={index() === at()}>
              {text()}
            </option>
          )}
        </For>
      </select>
    </div>
  )
}

/** Saved when the user leaves it; back to the present text if the server refuses another one. */
function Text(props: Of<'text'>): JSX.Element {
  const chat = useChat()
  const saving = useSaving()
  const now = () => String(presentValue(chat, props.row) ?? '')
  const change = async (element: HTMLInputElement | HTMLTextAreaElement) => {
    if (!(await saveValue(saving, props.row, element.value.trim()))) element.value = now()
  }
  const shared = {
    class: 'input',
    dir: 'auto' as const,
    get maxLength() {
      return props.row.longest
    },
    get disabled() {
      return !mayChange(chat, props.row)
    },
    get value() {
      return now()
    },
  }
  const id = createUniqueId()
  return (
    <div class="field">
      <label for={id}>{titleOf(props.row)}</label>
      <Show
        when={props.row.lines}
        fallback={<input {...shared} id={id} onChange={event => void change(event.currentTarget)} />}
      >
        {lines => <textarea {...shared} id={id} rows={lines()} onChange={event => void change(event.currentTarget)} />}
      </Show>
      <Show when={props.row.isMarkdown && now()}>{content => <MarkdownPreview content={content()} />}</Show>
    </div>
  )
}

function NumberBox(props: Of<'number'>): JSX.Element {
  const chat = useChat()
  const saving = useSaving()
  const change = async (element: HTMLInputElement) => {
    const isValid = element.reportValidity() && element.value !== ''
    const wanted: Value = Number(element.value)
    if (!isValid || !(await saveValue(saving, props.row, wanted))) element.value = String(presentValue(chat, props.row))
  }
  return (
    <label class="field">
      {titleOf(props.row)}
      <input
        class="input short"
        type="number"
        inputMode="numeric"
        min={props.row.least}
        max={props.row.most}
        disabled={!mayChange(chat, props.row)}
        value={String(presentValue(chat, props.row))}
        onChange={event => void change(event.currentTarget)}
      />
    </label>
  )
}
