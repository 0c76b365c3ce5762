import type { JSX } from 'solid-js'
import { limits } from '../../../../../shared/limits.js'
import { t } from '../../../language/language.js'
import { useChat } from '../../chat.js'
import { useView } from '../../view.js'
import { FormDialog } from '../form-dialog.js'

/** The form of a new group, whose first member is its maker. */
export function CreateGroup(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const create = async (form: FormData) => {
    const { group_id } = await chat.ask('POST', '/user_groups/create', {
      name: String(form.get('name')).trim(),
      description: String(form.get('description')).trim(),
      members: [chat.state.user_id],
    })
    view.open({ group: group_id as number })
  }
  return (
    <FormDialog
      title={t('userGroups.create')}
      submit={t('userGroups.create')}
      back={{ title: t('userGroups.all'), to: { group: 'all' } }}
      work={create}
    >
      <label class="field">
        {t('words.name')}
        <input class="input" dir="auto" name="name" required maxLength={limits.user_group_name_length} autofocus />
      </label>
      <label class="field">
        {t('channel.purpose')}
        <textarea
          class="input"
          dir="auto"
          name="description"
          rows={3}
          maxLength={limits.user_group_description_length}
        />
      </label>
    </FormDialog>
  )
}
