import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { mayCreatePrivateChannels, mayCreatePublicChannels } from '../../state/permissions.js'
import { useChat } from '../chat.js'
import { useView } from '../view.js'
import { FormDialog } from './form-dialog.js'

export function CreateChannel(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const create = async (form: FormData) => {
    const { id } = await chat.ask('POST', '/channels/create', {
      name: String(form.get('name')).trim(),
      description: String(form.get('description')).trim(),
      invite_only: form.get('private') === 'on' || !mayCreatePublicChannels(chat.state),
      subscribers: [chat.state.user_id],
    })
    view.open(undefined)
    view.go({ kind: 'channel', channelId: id as number })
  }
  return (
    <FormDialog title={t('channels.newTitle')} submit={t('channels.createChannel')} work={create}>
      <label class="field">
        {t('words.name')}
        <input class="input" dir="auto" name="name" required maxLength={60} autofocus />
      </label>
      <label class="field">
        {t('channels.purpose')}
        <input class="input" dir="auto" name="description" maxLength={1024} />
      </label>
      <Show when={mayCreatePrivateChannels(chat.state)}>
        <label class="check">
          <input
            type="checkbox"
            name="private"
            checked={!mayCreatePublicChannels(chat.state)}
            disabled={!mayCreatePublicChannels(chat.state)}
          />{' '}
          {t('channels.isPrivate')}
        </label>
      </Show>
    </FormDialog>
  )
}
