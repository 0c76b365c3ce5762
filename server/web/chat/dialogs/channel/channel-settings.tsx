import { For, type JSX, Show } from 'solid-js'
import type { Channel } from '../../../../../shared/events/client-state.js'
import { limits } from '../../../../../shared/limits.js'
import { locale, t } from '../../../language/language.js'
import { SureButton } from '../../../look/sure-button.js'
import { type Privacy, privacies, privacyOf, privacyParams } from '../../../state/channel-privacy.js'
import { channelOf } from '../../../state/channels.js'
import { holdersTitle } from '../../../state/holders.js'
import { mayAdminister } from '../../../state/permissions.js'
import { useChat } from '../../chat.js'
import { Description } from '../../description.js'
import { nameOf } from '../../names.js'
import { useView } from '../../view.js'
import { Fact } from '../fact.js'
import { MarkdownPreview } from '../markdown-preview.js'
import { SavedChoice } from '../saved-choice.js'
import { SavedText } from '../saved-text.js'
import { useSaving } from '../saving.js'
import { ChannelMail } from './channel-mail.js'

/** Name, description, privacy and folder of a channel: for its administrators to change, for all others to read. */
export function ChannelSettings(props: { channelId: number }): JSX.Element {
  const chat = useChat()
  const channel = () => channelOf(chat.state, props.channelId)
  return (
    <Show when={channel()}>
      {known => (
        <Show when={mayAdminister(chat.state, props.channelId)} fallback={<Facts channel={known()} />}>
          <Form channel={known()} />
        </Show>
      )}
    </Show>
  )
}

function Facts(props: { channel: Channel }): JSX.Element {
  const chat = useChat()
  const folder = () => chat.state.channel_folders.find(one => one.id === props.channel.folder_id)?.name
  const facts = (): [string, JSX.Element][] => [
    [t('channel.purpose'), <Description html={props.channel.rendered_description} />],
    [t('channel.whoSees'), t(`channel.privacy.${privacyOf(props.channel)}`)],
    [t('channel.whoPosts'), holdersTitle(chat.state, props.channel.can_send_message_group)],
    [t('channel.folder'), folder() ?? t('words.none')],
    [t('channel.created'), created(chat.state, props.channel)],
  ]
  return (
    <>
      <dl class="facts">
        <For each={facts()}>{([name, value]) => <Fact name={name}>{value}</Fact>}</For>
      </dl>
      <ChannelMail channelId={props.channel.stream_id} />
    </>
  )
}

function created(state: Parameters<typeof nameOf>[0], { creator_id, date_created }: Channel): string {
  const day = new Date(date_created * 1000).toLocaleDateString(locale(), { dateStyle: 'long' })
  return creator_id === null ? day : t('channel.by', day, nameOf(state, creator_id))
}

function Form(props: { channel: Channel }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const change = (params: Record<string, unknown>) => save('PATCH', `/streams/${props.channel.stream_id}`, params)
  const privacy = () => privacyOf(props.channel)
  const choices = () => privacies.filter(one => one !== 'web' || privacy() === 'web')
  const folderId = () => String(props.channel.folder_id ?? '')
  const folders = () => chat.state.channel_folders.filter(one => !one.is_archived)
  return (
    <>
      <SavedText
        title={t('words.name')}
        value={props.channel.name}
        maxLength={limits.max_stream_name_length}
        save={name => change({ new_name: name })}
      />
      <SavedText
        title={t('channel.purpose')}
        value={props.channel.description}
        maxLength={limits.max_stream_description_length}
        rows={3}
        save={description => change({ description })}
      />
      <Show when={props.channel.description}>{content => <MarkdownPreview content={content()} />}</Show>
      <SavedChoice
        title={t('channel.whoSees')}
        value={privacy()}
        options={choices().map(one => [one, t(`channel.privacy.${one}`)])}
        save={one => change(privacyParams(one as Privacy))}
      />
      <SavedChoice
        title={t('channel.folder')}
        value={folderId()}
        options={[['', t('words.none')], ...folders().map(folder => [String(folder.id), folder.name] as const)]}
        save={id => change({ folder_id: id === '' ? null : Number(id) })}
      />
      <p class="quiet">{t('channel.createdOn', created(chat.state, props.channel))}</p>
      <ChannelMail channelId={props.channel.stream_id} />
      <Archive channelId={props.channel.stream_id} />
    </>
  )
}

function Archive(props: { channelId: number }): JSX.Element {
  const view = useView()
  const { save } = useSaving()
  const archive = async () => {
    if (!(await save('DELETE', `/streams/${props.channelId}`, {}))) return
    view.open(undefined)
    view.go({ kind: 'all' })
  }
  return (
    <div class="person-deeds">
      <SureButton title={t('channel.archive')} sureTitle={t('channel.reallyArchive')} work={archive} />
    </div>
  )
}
