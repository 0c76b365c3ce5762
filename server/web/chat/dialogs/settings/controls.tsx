import { createUniqueId, For, type JSX } from 'solid-js'
import type { OwnSettings } from '../../../state/chat-state.js'
import { useChat } from '../../chat.js'
import { useSaving } from './saving.js'

interface ChoiceProps<Name extends keyof OwnSettings> {
  readonly name: Name
  readonly title: string
  readonly options: readonly (readonly [value: NonNullable<OwnSettings[Name]>, text: string])[]
}

/** A setting with few values. */
export function Choice<Name extends keyof OwnSettings>(props: ChoiceProps<Name>): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const id = createUniqueId()
  const now = () => chat.state.user_settings[props.name]
  const index = () => props.options.findIndex(([value]) => value === now())
  const choose = async (element: HTMLSelectElement) => {
    const [value] = props.options[element.selectedIndex] ?? []
    if (!(await save('PATCH', '/settings', { [props.name]: value }))) element.selectedIndex = index()
  }
  return (
    <div class="field">
      <label for={id}>{props.title}</label>
      <select class="input" id={id} onChange={event => void choose(event.currentTarget)}>
        <For each={props.options}>{([value, text]) => <option selected={value === now()}>{text}</option>}</For>
      </select>
    </div>
  )
}

type Switches = { [Name in keyof OwnSettings]: OwnSettings[Name] extends boolean ? Name : never }[keyof OwnSettings]

/** A setting that is on or off. */
export function Toggle(props: { name: Switches; title: string }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const toggle = async (element: HTMLInputElement) => {
    const wanted = element.checked
    if (!(await save('PATCH', '/settings', { [props.name]: wanted }))) element.checked = !wanted
  }
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={chat.state.user_settings[props.name]}
        onChange={event => void toggle(event.currentTarget)}
      />
      {props.title}
    </label>
  )
}
