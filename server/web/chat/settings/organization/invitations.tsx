import { createEffect, createResource, createSignal, For, type JSX, on, Show } from 'solid-js'
import type { Invitation } from '../../../../../shared/resources/invitation.js'
import { locale, t } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { SureButton } from '../../../look/sure-button.js'
import { holds } from '../../../state/permissions.js'
import { useChat } from '../../chat.js'
import { copyText } from '../../copy-text.js'
import { useSaving } from '../../dialogs/saving.js'
import { nameOf } from '../../names.js'
import { Entry } from '../entry.js'
import { EntryForm } from '../entry-form.js'
import type { Written } from '../listed.js'
import { invitationFields, inviteParams } from './invitation-fields.js'
import { type Refused, RefusedAddresses, refusedBy } from './refused-addresses.js'

/** The open invitations, and forms for new ones. */
export function Invitations(): JSX.Element {
  const chat = useChat()
  const [invitations, { refetch }] = createResource(
    async () => (await chat.ask('GET', '/invites')).invites as readonly Invitation[],
  )
  createEffect(
    on(
      () => chat.state.invitationChanges,
      () => void refetch(),
      { defer: true },
    ),
  )
  const present = () => (invitations.error ? [] : (invitations.latest ?? []))
  return (
    <>
      <Entry>
        <Inviting
          title={st('invitations.byMail')}
          isByMail
          isAllowed={holds(chat.state, chat.state.realm_can_invite_users_group)}
        />
      </Entry>
      <Entry>
        <Inviting
          title={st('invitations.byLink')}
          isByMail={false}
          isAllowed={holds(chat.state, chat.state.realm_create_multiuse_invite_group)}
        />
      </Entry>
      <ErrorNotice text={invitations.error && String(invitations.error.message)} />
      <h3 class="part-title">{st('invitations.open')}</h3>
      <ul class="entries">
        <For each={present()} fallback={<li class="quiet">{st('invitations.none')}</li>}>
          {invitation => (
            <li>
              <Entry>
                <Open invitation={invitation} />
              </Entry>
            </li>
          )}
        </For>
      </ul>
    </>
  )
}

interface InvitingProps {
  readonly title: string
  readonly isByMail: boolean
  readonly isAllowed: boolean
}

function Inviting(props: InvitingProps): JSX.Element {
  const chat = useChat()
  const { run } = useSaving()
  const [isOpen, setOpen] = createSignal(false)
  const [refused, setRefused] = createSignal<Refused>()
  const fields = invitationFields(chat.state, props.isByMail, () => <RefusedAddresses refused={refused()} />)
  let opener: HTMLButtonElement | undefined
  const close = () => {
    setOpen(false)
    opener?.focus()
  }
  const send = async (written: Written) => {
    setRefused(undefined)
    const path = props.isByMail ? '/invites' : '/invites/multiuse'
    const isDone = await run(async () => {
      const found = await refusedBy(chat.ask('POST', path, inviteParams(written)))
      setRefused(found)
      if (found && !found.areOthersInvited) throw new Error(st('invitations.noneSent'))
    })
    if (isDone) close()
    return isDone
  }
  return (
    <Show
      when={isOpen()}
      fallback={
        <>
          <p>
            <button
              type="button"
              class="button"
              disabled={!props.isAllowed}
              title={props.isAllowed ? undefined : st('invitations.notAllowed')}
              ref={opener}
              onClick={() => setOpen(true)}
            >
              {props.title}
            </button>
          </p>
          <RefusedAddresses refused={refused()} />
        </>
      }
    >
      <EntryForm
        label={props.title}
        submit={props.title}
        fields={fields}
        written={{ with_default_channels: 'true', notifies: 'true' }}
        save={send}
        cancel={close}
      />
    </Show>
  )
}

function Open(props: { invitation: Invitation }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const [copied, setCopied] = createSignal('')
  const path = () => `/invites/${props.invitation.is_multiuse ? 'multiuse/' : ''}${props.invitation.id}`
  const title = () => props.invitation.email ?? props.invitation.link_url ?? st('invitations.link')
  const detail = () => {
    const { invited_as, invited_by_user_id, expiry_date } = props.invitation
    const end =
      expiry_date === null
        ? st('invitations.forEver')
        : st('invitations.until', new Date(expiry_date * 1000).toLocaleDateString(locale(), { dateStyle: 'medium' }))
    return [t(`person.role.${invited_as}`), st('invitations.by', nameOf(chat.state, invited_by_user_id)), end].join(
      ' · ',
    )
  }
  const copy = async (link: string) => {
    setCopied((await copyText(link)) ? st('invitations.copied') : t('notice.noClipboard'))
  }
  return (
    <div class="listed">
      <span class="choice-words">
        <strong dir="auto">{title()}</strong>
        <small dir="auto">{detail()}</small>
        <Show when={props.invitation.mail_failed}>
          <span class="notice bad">{st('invitations.failed')}</span>
        </Show>
      </span>
      <span class="listed-tools">
        <span class="quiet" role="status">
          {copied()}
        </span>
        <Show when={props.invitation.link_url}>
          {link => (
            <button type="button" class="button" onClick={() => void copy(link())}>
              {st('invitations.copy')}
            </button>
          )}
        </Show>
        <Show when={!props.invitation.is_multiuse}>
          <button
            type="button"
            class="button"
            aria-label={st('invitations.resendOne', title())}
            onClick={() => void save('POST', `${path()}/resend`, {})}
          >
            {st('invitations.resend')}
          </button>
        </Show>
        <SureButton
          title={st('invitations.revoke')}
          label={st('invitations.revokeOne', title())}
          sureTitle={st('frame.reallyRemove')}
          work={() => save('DELETE', path(), {})}
        />
      </span>
    </div>
  )
}
