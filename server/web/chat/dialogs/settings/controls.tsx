import type { JSX } from 'solid-js'
import type { OwnSettings } from '../../../state/chat-state.js'
import { useChat } from '../../chat.js'
import { SavedChoice } from '../saved-choice.js'
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
  const now = () => chat.state.user_settings[props.name]
  return (
    <SavedChoice
      title={props.title}
      value={String(props.options.findIndex(([value]) => value === now()))}
      options={props.options.map(([, text], index) => [String(index), text])}
      save={index => save('PATCH', '/settings', { [props.name]: props.options[Number(index)]?.[0] })}
    />
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
