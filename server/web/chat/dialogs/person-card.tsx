import { For, type JSX, Show } from 'solid-js'
import { isMutedPerson, personOf, presenceOf, presenceWords } from '../../state/people.js'
import { groupsOf } from '../../state/permissions.js'
import { localTime, roleOf } from '../../state/profile.js'
import { timeOfDay } from '../../state/times.js'
import { Avatar } from '../avatar.js'
import { useChat } from '../chat.js'
import { nameOf } from '../names.js'
import { useNow } from '../now.js'
import { StatusSign } from '../status-sign.js'
import { useView } from '../view.js'
import { Dialog } from './dialog.js'
import { ProfileValue } from './profile-value.js'

/** The profile of a user, with what the reader can do about this user. */
export function PersonCard(props: { userId: number }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const now = useNow()
  const person = () => personOf(chat.state, props.userId)
  const isOwn = () => props.userId === chat.state.user_id
  const isDeactivated = () => props.userId in chat.state.realm_non_active_users
  const isMuted = () => isMutedPerson(chat.state, props.userId)
  const setMuted = (muted: boolean) =>
    chat
      .ask(muted ? 'POST' : 'DELETE', `/users/me/muted_users/${props.userId}`)
      .catch(error => chat.say((error as Error).message, 'bad'))
  const summary = () => {
    const known = person()
    if (!known) return ''
    const presence = presenceWords[presenceOf(chat.state, props.userId, now())]
    return [roleOf(known), isDeactivated() ? 'Deactivated' : known.is_bot ? undefined : presence]
      .filter(Boolean)
      .join(' · ')
  }
  const fields = () =>
    chat.state.custom_profile_fields.flatMap(field => {
      const value = person()?.profile_data?.[field.id]
      return value ? [{ field, value }] : []
    })
  return (
    <Dialog title={nameOf(chat.state, props.userId)}>
      <div class="person-head">
        <Avatar userId={props.userId} size="large" />
        <div>
          <p>{summary()}</p>
          <p>
            <StatusSign userId={props.userId} hasText />
          </p>
        </div>
      </div>
      <dl class="facts">
        <Show when={localTime(person()?.timezone ?? '', now(), timeOfDay(chat.state))}>
          {time => (
            <Fact name="Local time">
              {time()} ({person()?.timezone.replaceAll('_', ' ')})
            </Fact>
          )}
        </Show>
        <Show when={person()?.delivery_email}>{email => <Fact name="Email">{email()}</Fact>}</Show>
        <Show when={person()?.bot_owner_id}>{id => <Fact name="Owner">{nameOf(chat.state, id())}</Fact>}</Show>
        <Show when={person()?.date_joined}>
          {date => <Fact name="Joined">{new Date(date()).toLocaleDateString(undefined, { dateStyle: 'long' })}</Fact>}
        </Show>
        <Show when={groupsOf(chat.state, props.userId).map(group => group.name)}>
          {names => (
            <Show when={names().length > 0}>
              <Fact name="Groups">{names().join(', ')}</Fact>
            </Show>
          )}
        </Show>
        <For each={fields()}>
          {({ field, value }) => (
            <Fact name={field.name}>
              <ProfileValue field={field} value={value} />
            </Fact>
          )}
        </For>
      </dl>
      <div class="person-deeds">
        <Show when={!isDeactivated() && person()}>
          <button
            type="button"
            class="button primary"
            onClick={() => {
              view.go({ kind: 'direct', key: String(props.userId) })
              view.open(undefined)
            }}
          >
            {isOwn() ? 'Write a note to yourself' : 'Write'}
          </button>
          <Show when={!isOwn()}>
            <button type="button" class="button" onClick={() => void setMuted(!isMuted())}>
              {isMuted() ? 'Unmute' : 'Mute'}
            </button>
          </Show>
          <Show when={isOwn()}>
            <button type="button" class="button" onClick={() => view.open('settings')}>
              Edit profile
            </button>
          </Show>
        </Show>
      </div>
    </Dialog>
  )
}

function Fact(props: { name: string; children: JSX.Element }): JSX.Element {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}
