import { type JSX, Match, Switch } from 'solid-js'
import { type ProfileFieldObject, profileFieldTypes } from '../../../../shared/resources/custom-profile-field.js'
import { locale } from '../../language/language.js'
import { addressIn, choicesOf, peopleIn } from '../../state/profile.js'
import { useChat } from '../chat.js'
import { Description } from '../description.js'
import { nameOf } from '../names.js'
import { useView } from '../view.js'
import { Links } from './links.js'

const { DATE, SELECT, USER } = profileFieldTypes

interface Value {
  readonly value: string
  readonly rendered_value?: string
}

/** What a user has written into a custom profile field. */
export function ProfileValue(props: { field: ProfileFieldObject; value: Value }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const text = () => props.value.value
  return (
    <Switch fallback={text()}>
      <Match when={props.value.rendered_value}>{html => <Description html={html()} />}</Match>
      <Match when={addressIn(props.field, text())}>
        {address => (
          <a href={address()} target="_blank" rel="noopener noreferrer nofollow">
            {text()}
          </a>
        )}
      </Match>
      <Match when={props.field.type === SELECT.id}>{new Map(choicesOf(props.field)).get(text()) ?? text()}</Match>
      <Match when={props.field.type === DATE.id}>
        {new Date(text()).toLocaleDateString(locale(), { dateStyle: 'long', timeZone: 'UTC' })}
      </Match>
      <Match when={props.field.type === USER.id}>
        <Links of={peopleIn(text())} name={id => nameOf(chat.state, id)} open={id => view.open({ person: id })} />
      </Match>
    </Switch>
  )
}
