import { type Component, createMemo, type JSX, Show, Suspense } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { later, laterWithTexts } from '../later.js'
import { type About, type Dialog, useView } from '../view.js'

const NewTopic = later(async () => (await import('./new-topic.js')).NewTopic)

const Jump = later(async () => (await import('./jump.js')).Jump)

const Later = laterWithTexts(async () => (await import('./scheduled/later-dialog.js')).LaterDialog)

const Folder = later(async () => (await import('./channel-folder.js')).ChannelFolderDialog)

type DialogName = Dialog extends infer One
  ? One extends string
    ? One
    : Exclude<keyof One, 'tab' | 'topic' | 'shown'>
  : never

const dialogs = {
  keys: later(async () => (await import('./keys.js')).Keys),
  channels: later(async () => (await import('./browse-channels.js')).BrowseChannels),
  'new-folder': Folder,
  folder: Folder,
  'create-channel': later(async () => (await import('./create-channel.js')).CreateChannel),
  'new-direct': later(async () => (await import('./new-direct.js')).NewDirect),
  'new-topic': NewTopic,
  newTopicIn: (props: About<'newTopicIn'>) => <NewTopic channelId={props.about.newTopicIn} />,
  picture: later(async () => (await import('./picture-viewer.js')).PictureViewer),
  status: laterWithTexts(async () => (await import('./own-status.js')).OwnStatus),
  quiet: laterWithTexts(async () => (await import('./quiet-times.js')).QuietTimes),
  drafts: later(async () => (await import('./draft-list.js')).DraftList),
  avatar: later(async () => (await import('./own-avatar.js')).OwnAvatar),
  people: later(async () => (await import('./people-sheet.js')).PeopleSheet),
  snippets: later(async () => (await import('./snippets.js')).Snippets),
  jump: Jump,
  forward: (props: About<'forward'>) => <Jump forward={props.about.forward} />,
  aboutMessage: later(async () => (await import('./about-message.js')).AboutMessage),
  person: later(async () => (await import('./person-card.js')).PersonCard),
  report: later(async () => (await import('./report-message.js')).ReportMessage),
  sendLater: Later,
  remind: Later,
  scheduled: Later,
  move: later(async () => (await import('./move-messages.js')).MoveMessages),
  channel: laterWithTexts(async () => (await import('./channel/channel-dialog.js')).ChannelDialog),
  news: laterWithTexts(async () => (await import('./channel-news.js')).ChannelNews),
  files: laterWithTexts(async () => (await import('./files/files-dialog.js')).FilesDialog),
  group: later(async () => (await import('./groups/user-groups.js')).UserGroups),
}

const nameOf = (dialog: Dialog): DialogName =>
  typeof dialog === 'string' ? dialog : (Object.keys(dialog).find(key => key in dialogs) as DialogName)

/** The open dialog, if any. One about something else takes over the same elements if it has the same name. */
export function Dialogs(): JSX.Element {
  const view = useView()
  const name = createMemo(() => {
    const dialog = view.dialog()
    return dialog && nameOf(dialog)
  })
  return (
    <Show when={name()} keyed>
      {name => (
        <Suspense>
          <Dynamic component={dialogs[name] as Component<{ about: unknown }>} about={view.dialog()} />
        </Suspense>
      )}
    </Show>
  )
}
