import { createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import type { RequestError } from '../../../../../shared/client/index.js'
import type { Channel } from '../../../../../shared/events/client-state.js'
import { type GroupSettingValue, sameSettingValue } from '../../../../../shared/resources/group-setting-value.js'
import {
  type ChannelPermission,
  channelPermissions,
  type PermissionSetting,
} from '../../../../../shared/resources/permission-settings.js'
import { t } from '../../../language/language.js'
import { Icon } from '../../../look/icon.js'
import { channelOf } from '../../../state/channels.js'
import { groupTitle, holderChoices, holderName, holdersOf, holdersTitle } from '../../../state/holders.js'
import { mayAdminister } from '../../../state/permissions.js'
import { useChat } from '../../chat.js'
import { useSaving } from '../settings/saving.js'
import { HolderEditor } from './holder-editor.js'
import { HolderSign } from './holder-sign.js'

const permissions: readonly ChannelPermission[] = [
  'can_send_message_group',
  'can_create_topic_group',
  'can_subscribe_group',
  'can_add_subscribers_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_move_messages_within_channel_group',
  'can_move_messages_out_of_channel_group',
  'can_delete_own_message_group',
  'can_delete_any_message_group',
  'can_administer_channel_group',
]

/** Who may do what in a channel: for its administrators with choices, for all others to read. */
export function ChannelPermissions(props: { channelId: number }): JSX.Element {
  const chat = useChat()
  return (
    <Show
      when={mayAdminister(chat.state, props.channelId)}
      fallback={
        <dl class="facts">
          <For each={permissions}>
            {name => (
              <div>
                <dt>{t(`channel.permission.${name}`)}</dt>
                <dd>{holdersTitle(chat.state, channelOf(chat.state, props.channelId)?.[name] ?? -1)}</dd>
              </div>
            )}
          </For>
        </dl>
      }
    >
      <p class="quiet">{t('channel.alsoOrganization')}</p>
      <For each={permissions}>{name => <Permission channelId={props.channelId} name={name} />}</For>
    </Show>
  )
}

function Permission(props: { channelId: number; name: ChannelPermission }): JSX.Element {
  const chat = useChat()
  const { run } = useSaving()
  // Each object opens a new editor, which begins with its value.
  const [edited, setEdited] = createSignal<{ readonly from: GroupSettingValue }>()
  let opener: HTMLButtonElement | undefined
  const path = () => `/streams/${props.channelId}`
  const title = () => t(`channel.permission.${props.name}`)
  const value = () => channelOf(chat.state, props.channelId)?.[props.name] ?? -1
  const edit = () => setEdited({ from: unwrap(value()) })
  const close = () => {
    setEdited(undefined)
    opener?.focus()
  }
  // The event with the value may come later than the answer, and until then the next change would begin with an old one.
  const show = (present: GroupSettingValue) =>
    chat.change(state => {
      const channel = channelOf(state, props.channelId)
      if (channel) Object.assign(channel, { [props.name]: present })
    })
  const reload = async (): Promise<GroupSettingValue> => {
    const { stream } = await chat.ask('GET', path())
    const present = (stream as Channel)[props.name]
    show(present)
    return present
  }
  const change = (wanted: GroupSettingValue, old: GroupSettingValue) =>
    run(async () => {
      try {
        await chat.ask('PATCH', path(), { [props.name]: { new: wanted, old } })
        show(wanted)
      } catch (failure) {
        if ((failure as RequestError).code !== 'EXPECTATION_MISMATCH') throw failure
        // An earlier request may have made this change, and its answer was lost.
        if (sameSettingValue(await reload(), wanted)) return
        if (edited()) edit()
        throw new Error(t('holders.changedMeanwhile'))
      }
    })
  return (
    <Show
      when={edited()}
      keyed
      fallback={
        <PresentHolders
          title={title()}
          rule={channelPermissions[props.name]}
          value={value()}
          change={wanted => change(wanted, value())}
          edit={edit}
          opener={element => {
            opener = element
          }}
        />
      }
    >
      {({ from }) => (
        <HolderEditor
          title={title()}
          rule={channelPermissions[props.name]}
          from={from}
          save={async wanted => {
            if (await change(wanted, from)) close()
          }}
          cancel={close}
        />
      )}
    </Show>
  )
}

interface PresentHoldersProps {
  readonly title: string
  readonly rule: PermissionSetting
  readonly value: GroupSettingValue
  /** False: the value is as it was. */
  change(wanted: GroupSettingValue): Promise<boolean>
  edit(): void
  opener(element: HTMLButtonElement): void
}

/** The holders of a permission: a single group can be exchanged for another one at once, everything else is edited. */
function PresentHolders(props: PresentHoldersProps): JSX.Element {
  const chat = useChat()
  const id = createUniqueId()
  const choices = () => holderChoices(chat.state, props.rule)
  const isGroup = () => choices().some(group => group.id === props.value)
  const choose = async (element: HTMLSelectElement) => {
    if (!(await props.change(Number(element.value)))) element.value = String(props.value)
  }
  return (
    <div class="field">
      <Show when={isGroup()} fallback={<span id={`${id}-title`}>{props.title}</span>}>
        <label for={id}>{props.title}</label>
      </Show>
      <div class="holders-bar">
        <Show
          when={isGroup()}
          fallback={
            <ul class="holders input" aria-labelledby={`${id}-title`}>
              <For each={holdersOf(chat.state, props.value)} fallback={<li>{t('groups.none')}</li>}>
                {holder => (
                  <li class="chip">
                    <HolderSign holder={holder} />
                    <bdi>{holderName(chat.state, holder)}</bdi>
                  </li>
                )}
              </For>
            </ul>
          }
        >
          <select class="input" id={id} onChange={event => void choose(event.currentTarget)}>
            <For each={choices()}>
              {group => (
                <option value={group.id} selected={group.id === props.value}>
                  {groupTitle(group)}
                </option>
              )}
            </For>
          </select>
        </Show>
        <button
          type="button"
          class="icon-button"
          aria-label={t('holders.change', props.title)}
          title={t('holders.change', props.title)}
          ref={element => props.opener(element)}
          onClick={() => props.edit()}
        >
          <Icon name="edit" />
        </button>
      </div>
    </div>
  )
}
