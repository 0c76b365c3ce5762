import { type JSX, lazy, Match, Suspense, Switch } from 'solid-js'
import { useView } from '../view.js'
import { BrowseChannels } from './browse-channels.js'
import { CreateChannel } from './create-channel.js'
import { Keys } from './keys.js'
import { NewDirect } from './new-direct.js'
import { NewTopic } from './new-topic.js'

// Few people add emoji.
const CustomEmoji = lazy(async () => ({ default: (await import('./custom-emoji.js')).CustomEmoji }))

const PictureViewer = lazy(async () => ({ default: (await import('./picture-viewer.js')).PictureViewer }))

const OwnAvatar = lazy(async () => ({ default: (await import('./own-avatar.js')).OwnAvatar }))

const AboutMessage = lazy(async () => ({ default: (await import('./about-message.js')).AboutMessage }))

const Settings = lazy(async () => ({ default: (await import('./settings/settings.js')).Settings }))

const OrganizationPictures = lazy(async () => ({
  default: (await import('./organization-pictures.js')).OrganizationPictures,
}))

const PersonCard = lazy(async () => ({ default: (await import('./person-card.js')).PersonCard }))

const PeopleSheet = lazy(async () => ({ default: (await import('./people-sheet.js')).PeopleSheet }))

const ChannelDialog = lazy(async () => ({ default: (await import('./channel/channel-dialog.js')).ChannelDialog }))

const UserGroups = lazy(async () => ({ default: (await import('./groups/user-groups.js')).UserGroups }))

const MoveMessages = lazy(async () => ({ default: (await import('./move-messages.js')).MoveMessages }))

const Snippets = lazy(async () => ({ default: (await import('./snippets.js')).Snippets }))

const DraftList = lazy(async () => ({ default: (await import('./draft-list.js')).DraftList }))

const Jump = lazy(async () => ({ default: (await import('./jump.js')).Jump }))

const OwnStatus = lazy(async () => ({ default: (await import('./own-status.js')).OwnStatus }))

/** The open dialog, if any. */
export function Dialogs(): JSX.Element {
  const view = useView()
  const about = () => {
    const dialog = view.dialog()
    return typeof dialog === 'object' && 'aboutMessage' in dialog ? dialog.aboutMessage : undefined
  }
  const forward = () => {
    const dialog = view.dialog()
    return typeof dialog === 'object' && 'forward' in dialog ? dialog.forward : undefined
  }
  const person = () => {
    const dialog = view.dialog()
    return typeof dialog === 'object' && 'person' in dialog ? dialog.person : undefined
  }
  const move = () => {
    const dialog = view.dialog()
    return typeof dialog === 'object' && 'move' in dialog ? dialog.move : undefined
  }
  const channel = () => {
    const dialog = view.dialog()
    return typeof dialog === 'object' && 'channel' in dialog ? dialog : undefined
  }
  const newTopicIn = () => {
    const dialog = view.dialog()
    return typeof dialog === 'object' && 'newTopicIn' in dialog ? dialog.newTopicIn : undefined
  }
  const group = () => {
    const dialog = view.dialog()
    return typeof dialog === 'object' && 'group' in dialog ? dialog.group : undefined
  }
  return (
    <Switch>
      <Match when={move()}>
        {from => (
          <Suspense>
            <MoveMessages from={from()} />
          </Suspense>
        )}
      </Match>
      <Match when={channel()}>
        {dialog => (
          <Suspense>
            <ChannelDialog channelId={dialog().channel} tab={dialog().tab} />
          </Suspense>
        )}
      </Match>
      <Match when={group()}>
        {open => (
          <Suspense>
            <UserGroups open={open()} />
          </Suspense>
        )}
      </Match>
      <Match when={view.dialog() === 'snippets'}>
        <Suspense>
          <Snippets />
        </Suspense>
      </Match>
      <Match when={view.dialog() === 'people'}>
        <Suspense>
          <PeopleSheet />
        </Suspense>
      </Match>
      <Match when={view.dialog() === 'keys'}>
        <Keys />
      </Match>
      <Match when={view.dialog() === 'channels'}>
        <BrowseChannels />
      </Match>
      <Match when={view.dialog() === 'new-direct'}>
        <NewDirect />
      </Match>
      <Match when={view.dialog() === 'new-topic'}>
        <NewTopic />
      </Match>
      <Match when={newTopicIn()}>{id => <NewTopic channelId={id()} />}</Match>
      <Match when={view.dialog() === 'emoji'}>
        <Suspense>
          <CustomEmoji />
        </Suspense>
      </Match>
      <Match when={view.dialog() === 'avatar'}>
        <Suspense>
          <OwnAvatar />
        </Suspense>
      </Match>
      <Match when={view.dialog() === 'jump'}>
        <Suspense>
          <Jump />
        </Suspense>
      </Match>
      <Match when={forward()}>
        {ids => (
          <Suspense>
            <Jump forward={ids()} />
          </Suspense>
        )}
      </Match>
      <Match when={about()}>
        {id => (
          <Suspense>
            <AboutMessage messageId={id()} />
          </Suspense>
        )}
      </Match>
      <Match when={person()}>
        {id => (
          <Suspense>
            <PersonCard userId={id()} />
          </Suspense>
        )}
      </Match>
      <Match when={view.dialog() === 'settings'}>
        <Suspense>
          <Settings />
        </Suspense>
      </Match>
      <Match when={view.dialog() === 'drafts'}>
        <Suspense>
          <DraftList />
        </Suspense>
      </Match>
      <Match when={view.dialog() === 'organization'}>
        <Suspense>
          <OrganizationPictures />
        </Suspense>
      </Match>
      <Match when={view.dialog() === 'status'}>
        <Suspense>
          <OwnStatus />
        </Suspense>
      </Match>
      <Match when={view.dialog() === 'picture'}>
        <Suspense>
          <PictureViewer />
        </Suspense>
      </Match>
      <Match when={view.dialog() === 'create-channel'}>
        <CreateChannel />
      </Match>
    </Switch>
  )
}
