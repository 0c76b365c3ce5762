export const firstNames =
  'Ada Bela Cora Dario Edda Farid Gita Hugo Ines Jonas Kira Levi Mara Nils Olga Pavel Qadira Ravi Sara Timo Ulla Vera Wanda Xaver Yara Zeno Amir Birgit Chidi Dana Emre Freya Goran Hana Ivo Jana Kofi Lena Milan Nora Omar Petra Rosa Sven Tara Uma Viktor Wim Yusuf Zoe'.split(
    ' ',
  )

// Two parts make a family name, which gives more names than an organization has users.
export const nameBeginnings =
  'Ander Berg Carl Dahl Eng Fried Gold Hart Ingel Jan Kauf Lind Mar Nor Ost Peter Quist Ros Stein Thor Ulm Vogel Wald Zim'.split(
    ' ',
  )
export const nameEndings =
  'son berg mann feld stein ström baum heim well ton by ova ski dottir ley ford wick ham'.split(' ')

export const timezones = ['', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'America/Los_Angeles', 'Asia/Tokyo']

export const subjects =
  'engineering design support sales finance legal people research platform mobile web data security operations infrastructure marketing product quality docs events travel office books music lunch sports garden photos news ideas'.split(
    ' ',
  )

export const words =
  'the a this that we you they it is was will can should has need make keep move build release review test plan report ask answer check find change finish start open close read write send wait agree decide learn measure server client channel topic message account release customer budget meeting deadline question draft document design version branch error query index cache queue page screen button picture office team week month today tomorrow morning afternoon again already always never soon later maybe often together almost enough quickly slowly better worse large small new old early late simple hard ready done'.split(
    ' ',
  )

export const hanWords =
  '会议 报告 项目 今天 明天 文件 问题 版本 服务 客户 我们 你们 需要 开始 完成 测试 计划 上海 北京 东京 办公室 下午 上午 一起'.split(
    ' ',
  )

export const emoji = [
  { code: '1f44d', name: '+1' },
  { code: '2764', name: 'heart' },
  { code: '1f389', name: 'tada' },
  { code: '1f440', name: 'eyes' },
  { code: '1f642', name: 'smile' },
] as const
