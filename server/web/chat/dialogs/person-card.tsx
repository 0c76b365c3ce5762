import { createMemo, For, type JSX, Show } from 'solid-js'
import { locale, t } from '../../language/language.js'
import { isMutedPerson, personOf, presenceOf } from '../../state/people.js'
import { groupsOf } from '../../state/permissions.js'
import { localTime, roleOf } from '../../state/profile.js'
import { timeOfDay } from '../../state/times.js'
import { Avatar } from '../avatar.js'
import { type Chat, useChat } from '../chat.js'
import { nameOf } from '../names.js'
import { useNow } from '../now.js'
import { keepProfile } from '../people/profile.js'
import { StatusSign } from '../status-sign.js'
import { type About, useView } from '../view.js'
import { Dialog } from './dialog.js'
import { Fact } from './fact.js'
import { Links } from './links.js'
import { ProfileValue } from './profile-value.js'

/** The profile of a user, with what the reader can do about this user. */
export function PersonCard(props: About<'person'>): JSX.Element {
  const chat = useChat()
  keepProfile(chat, () => props.about.person)
  return (
    <Dialog title={nameOf(chat.state, props.about.person)}>
      <div class="person-head">
        <Avatar userId={props.about.person} size="large" />
        <div>
          <Summary userId={props.about.person} />
          <p>
            <StatusSign userId={props.about.person} hasText />
          </p>
        </div>
      </div>
      <Facts userId={props.about.person} />
      <div class="person-deeds">
        <Show when={!isDeactivated(chat, props.about.person) && personOf(chat.state, props.about.person)}>
          <Deeds userId={props.about.person} />
        </Show>
      </div>
    </Dialog>
  )
}

const isDeactivated = ({ state }: Chat, id: number): boolean => id in state.realm_non_active_users

/** The role, and whether the user is there. */
function Summary(props: { userId: number }): JSX.Element {
  const chat = useChat()
  const now = useNow()
  const words = () => {
    const known = personOf(chat.state, props.userId)
    if (!known) return ''
    const presence = t(`people.presence.${presenceOf(chat.state, props.userId, now())}`)
    const state = isDeactivated(chat, props.userId) ? t('person.deactivated') : known.is_bot ? undefined : presence
    return [roleOf(known), state].filter(Boolean).join(' · ')
  }
  return <p>{words()}</p>
}

function Facts(props: { userId: number }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const now = useNow()
  const person = () => personOf(chat.state, props.userId)
  const groups = createMemo(() => groupsOf(chat.state, props.userId))
  const fields = () =>
    chat.state.custom_profile_fields.flatMap(field => {
      const value = person()?.profile_data?.[field.id]
      return value ? [{ field, value }] : []
    })
  return (
    <dl class="facts">
      <Show when={localTime(person()?.timezone ?? '', now(), timeOfDay(chat.state))}>
        {time => (
          <Fact name={t('person.localTime')}>
            {t('person.timeInZone', time(), person()?.timezone.replaceAll('_', ' ') ?? '')}
          </Fact>
        )}
      </Show>
      <Show when={person()?.delivery_email}>{email => <Fact name={t('person.email')}>{email()}</Fact>}</Show>
      <Show when={person()?.bot_owner_id}>
        {id => <Fact name={t('person.owner')}>{nameOf(chat.state, id())}</Fact>}
      </Show>
      <Show when={person()?.date_joined}>
        {date => (
          <Fact name={t('person.joined')}>{new Date(date()).toLocaleDateString(locale(), { dateStyle: 'long' })}</Fact>
        )}
      </Show>
      <Show when={groups().length > 0}>
        <Fact name={t('person.groups')}>
          <Links of={groups()} name={group => group.name} open={group => view.open({ group: group.id })} />
        </Fact>
      </Show>
      <For each={fields()}>
        {({ field, value }) => (
          <Fact name={field.name}>
            <ProfileValue field={field} value={value} />
          </Fact>
        )}
      </For>
    </dl>
  )
}

function Deeds(props: { userId: number }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const isOwn = () => props.userId === chat.state.user_id
  const isMuted = () => isMutedPerson(chat.state, props.userId)
  const toggleMuted = () => {
    chat.ask(isMuted() ? 'DELETE' : 'POST', `/users/me/muted_users/${props.userId}`).catch(chat.sayFailure)
  }
  const write = () => {
    view.go({ kind: 'direct', key: String(props.userId) })
    view.open(undefined)
  }
  const editProfile = () => {
    view.open(undefined)
    view.openSettings({ about: 'settings', section: 'profile' })
  }
  return (
    <>
      <button type="button" class="button primary" onClick={write}>
        {isOwn() ? t('person.writeNote') : t('person.write')}
      </button>
      <Show
        when={isOwn()}
        fallback={
          <button type="button" class="button" onClick={toggleMuted}>
            {isMuted() ? t('words.unmute') : t('person.mute')}
          </button>
        }
      >
        <button type="button" class="button" onClick={editProfile}>
          {t('person.editProfile')}
        </button>
      </Show>
    </>
  )
}
