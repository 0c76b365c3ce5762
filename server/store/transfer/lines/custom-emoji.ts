import { flag, id, lineType, text } from '../line-type.js'

export const customEmojiLine = lineType(
  'custom_emoji',
  { table: 'custom_emoji', order: 'id', doc: 'An emoji that a user added.' },
  {
    id: id('Its id; reactions with it have it as `emoji_code`.'),
    name: text('Its name.'),
    author_id: id('The user who added it.'),
    path: text('Path of its picture; the picture itself is not exported.'),
    is_animated: flag('There is a still picture, too.'),
    deactivated: flag('Only old messages and reactions show it.'),
  },
)
