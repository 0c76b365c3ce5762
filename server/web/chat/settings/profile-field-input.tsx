import { createUniqueId, For, type JSX, Match, Show, Switch } from 'solid-js'
import {
  type ProfileFieldObject,
  profileFieldLimits,
  profileFieldTypes,
} from '../../../../shared/resources/custom-profile-field.js'
import { t } from '../../language/language.js'
import { personOf } from '../../state/people.js'
import { choicesOf, peopleIn } from '../../state/profile.js'
import { useChat } from '../chat.js'
import { PeoplePicker } from './people-picker.js'

const { DATE, LONG_TEXT, SELECT, URL: LINK, USER } = profileFieldTypes
const longestLink = 2048

interface ProfileFieldInputProps {
  readonly field: ProfileFieldObject
  /** Whose value it shows. */
  readonly userId: number
  readonly isLocked: boolean
  set(value: string | readonly number[]): unknown
}

/** A user's value of a custom profile field. */
export function ProfileFieldInput(props: ProfileFieldInputProps): JSX.Element {
  const chat = useChat()
  const id = createUniqueId()
  const value = () => personOf(chat.state, props.userId)?.profile_data?.[props.field.id]?.value ?? ''
  const shared = {
    id,
    class: 'input',
    dir: 'auto' as const,
    get disabled() {
      return props.isLocked
    },
    get required() {
      return props.field.required
    },
    get 'aria-describedby'() {
      return props.field.hint === '' ? undefined : `${id}-hint`
    },
  }
  const changed = (event: { readonly currentTarget: { readonly value: string } }) =>
    void props.set(event.currentTarget.value.trim())
  return (
    <div class="field">
      <label for={id}>{props.field.required ? t('settings.required', props.field.name) : props.field.name}</label>
      <Switch
        fallback={
          <input
            {...shared}
            type={props.field.type === DATE.id ? 'date' : props.field.type === LINK.id ? 'url' : 'text'}
            maxLength={props.field.type === LINK.id ? longestLink : profileFieldLimits.short_text}
            value={value()}
            onChange={changed}
          />
        }
      >
        <Match when={props.field.type === LONG_TEXT.id}>
          <textarea {...shared} rows={3} maxLength={profileFieldLimits.long_text} value={value()} onChange={changed} />
        </Match>
        <Match when={props.field.type === SELECT.id}>
          <select {...shared} onChange={changed}>
            <Options field={props.field} value={value()} />
          </select>
        </Match>
        <Match when={props.field.type === USER.id}>
          <PeoplePicker
            id={id}
            isLocked={props.isLocked}
            chosen={value() === '' ? [] : peopleIn(value())}
            choose={people => void props.set(people)}
          />
        </Match>
      </Switch>
      <Hint of={props.field} id={`${id}-hint`} />
    </div>
  )
}

function Hint(props: { of: ProfileFieldObject; id: string }): JSX.Element {
  return (
    <Show when={props.of.hint !== ''}>
      <small class="quiet" id={props.id}>
        {props.of.hint}
      </small>
    </Show>
  )
}

function Options(props: { field: ProfileFieldObject; value: string }): JSX.Element {
  return (
    <>
      <option value="" selected={props.value === ''} />
      <For each={choicesOf(props.field)}>
        {([key, text]) => (
          <option value={key} selected={props.value === key}>
            {text}
          </option>
        )}
      </For>
    </>
  )
}
