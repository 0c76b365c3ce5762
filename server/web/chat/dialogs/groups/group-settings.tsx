import { type JSX, Show } from 'solid-js'
import type { RequestError } from '../../../../../shared/client/index.js'
import type { UserGroup } from '../../../../../shared/events/client-state.js'
import { limits } from '../../../../../shared/limits.js'
import { listText } from '../../../language/format.js'
import { t } from '../../../language/language.js'
import { SureButton } from '../../../look/sure-button.js'
import { mayManageGroup } from '../../../state/group-permissions.js'
import { useChat } from '../../chat.js'
import { useView } from '../../view.js'
import { SavedText } from '../saved-text.js'
import { useSaving } from '../saving.js'
import { type Objection, usesOf } from './group-uses.js'
import { OwnMembership } from './own-membership.js'

/** Name and description of a group: for its managers to change, for all others to read. */
export function GroupSettings(props: { group: UserGroup }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const change = (params: Record<string, unknown>) => save('PATCH', `/user_groups/${props.group.id}`, params)
  const mayManage = () => mayManageGroup(chat.state, props.group)
  return (
    <>
      <Show when={mayManage()} fallback={<p dir="auto">{props.group.description}</p>}>
        <SavedText
          title={t('words.name')}
          value={props.group.name}
          maxLength={limits.user_group_name_length}
          save={name => change({ name })}
        />
        <SavedText
          title={t('channel.purpose')}
          value={props.group.description}
          maxLength={limits.user_group_description_length}
          rows={3}
          save={description => change({ description })}
        />
      </Show>
      <div class="person-deeds">
        <OwnMembership group={props.group} />
        <Show when={mayManage()}>
          <Deactivation groupId={props.group.id} />
        </Show>
      </div>
    </>
  )
}

function Deactivation(props: { groupId: number }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const { run } = useSaving()
  const explain = (failure: RequestError): never => {
    const uses = usesOf(chat.state, (failure.fields?.objections ?? []) as Objection[])
    throw uses.length > 0 ? new Error(t('userGroups.inUse', listText(uses))) : failure
  }
  const deactivate = async () => {
    const path = `/user_groups/${props.groupId}/deactivate`
    if (await run(() => chat.ask('POST', path).catch(explain))) view.open({ group: 'all' })
  }
  return (
    <SureButton title={t('userGroups.deactivate')} sureTitle={t('userGroups.reallyDeactivate')} work={deactivate} />
  )
}
