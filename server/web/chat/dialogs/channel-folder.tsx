import type { JSX } from 'solid-js'
import { limits } from '../../../../shared/limits.js'
import { t } from '../../language/language.js'
import { useChat } from '../chat.js'
import { useView } from '../view.js'
import { FormDialog } from './form-dialog.js'

/** A new channel folder, or another name and purpose of one. */
export function ChannelFolderDialog(props: { about: 'new-folder' | { readonly folder: number } }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const id = () => (typeof props.about === 'object' ? props.about.folder : undefined)
  const folder = () => chat.state.channel_folders.find(one => one.id === id())
  const save = async (form: FormData) => {
    const params = { name: String(form.get('name')), description: String(form.get('purpose')) }
    if (id() === undefined) {
      await chat.ask('POST', '/channel_folders/create', params)
      chat.say(t('notice.folderMade', params.name))
    } else await chat.ask('PATCH', `/channel_folders/${id()}`, params)
    view.open(undefined)
  }
  return (
    <FormDialog
      title={id() === undefined ? t('sidebar.newFolder') : t('sidebar.editFolder')}
      submit={id() === undefined ? t('sidebar.makeFolder') : t('words.save')}
      work={save}
    >
      <p>{t('sidebar.aboutFolders')}</p>
      <label class="field">
        {t('words.name')}
        <input
          class="input"
          dir="auto"
          name="name"
          required
          autofocus
          maxLength={limits.max_channel_folder_name_length}
          value={folder()?.name ?? ''}
        />
      </label>
      <label class="field">
        {t('channels.purpose')}
        <input
          class="input"
          dir="auto"
          name="purpose"
          maxLength={limits.max_channel_folder_description_length}
          value={folder()?.description ?? ''}
        />
      </label>
    </FormDialog>
  )
}
