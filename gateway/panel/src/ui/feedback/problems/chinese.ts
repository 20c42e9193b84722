import type { ProblemTexts } from './problem-texts.ts';

export const CHINESE = {
  invalid_request: { title: '请求无效', about: '某项内容缺失或不被允许。', resolution: '请更正下方提到的字段。' },
  invalid_path: {
    title: '路径无效',
    about: '该路径不是服务器的文件或文件夹，或经过了链接。',
    resolution: '请选择服务器文件夹内的路径。',
  },
  unauthenticated: { title: '未登录', about: '用户名或密码错误，或会话已结束。', resolution: '请重新登录。' },
  totp_required: {
    title: '需要第二重验证',
    about: '此账户登录时需要一次性验证码。',
    resolution: '请输入身份验证器应用中的验证码。',
  },
  totp_invalid: {
    title: '第二重验证错误',
    about: '一次性验证码错误或已被使用。',
    resolution: '请等待身份验证器应用显示下一个验证码，然后重试。',
  },
  daemon_unknown: {
    title: '电脑未关联',
    about: '这台电脑没有关联到该代理的任何账户，或已在那里移除。',
    resolution: '请重新关联这台电脑。',
  },
  insufficient_scope: { title: '没有权限', about: '您的账户没有所需的权限。', resolution: '请向管理员申请该权限。' },
  origin_not_allowed: {
    title: '地址不被允许',
    about: '您打开此页面所用的地址未被允许。',
    resolution: '请使用这台电脑自己的地址，或在“网络访问”页面允许该地址。',
  },
  password_change_required: {
    title: '请先设置密码',
    about: '您使用自动生成的密码登录。',
    resolution: '请重新加载页面并设置自己的密码。',
  },
  instance_not_found: {
    title: '找不到服务器',
    about: '此服务器不存在或已被删除。',
    resolution: '请从列表中选择服务器。',
  },
  backup_not_found: { title: '找不到备份', about: '此备份不存在或已被删除。', resolution: '请从列表中选择备份。' },
  file_not_found: { title: '找不到文件', about: '此路径下没有文件或文件夹。', resolution: '请从列表中选择文件。' },
  store_not_found: {
    title: '找不到存储位置',
    about: '没有此名称的备份副本存储位置。',
    resolution: '请在“存储”页面中选择一个。',
  },
  player_not_found: { title: '找不到玩家', about: '服务器上没有此名称的玩家。', resolution: '请从列表中选择玩家。' },
  ssh_key_not_found: {
    title: '找不到 SSH 密钥',
    about: '此 SSH 密钥不存在或已被删除。',
    resolution: '请从列表中选择密钥。',
  },
  token_not_found: { title: '找不到令牌', about: '此令牌不存在或已被撤销。', resolution: '请从列表中选择令牌。' },
  not_linked: {
    title: '未关联',
    about: '这台电脑没有关联到代理，也没有等待中的关联请求。',
    resolution: '请先将它关联到代理。',
  },
  user_not_found: { title: '找不到用户', about: '没有此名称的用户。', resolution: '请从列表中选择用户。' },
  job_not_found: {
    title: '找不到任务',
    about: '此任务不存在，或结束已久。',
    resolution: '请重新加载页面。',
  },
  route_not_found: {
    title: '找不到地址',
    about: 'Gamekeeper 不认识此地址。',
    resolution: '请重新加载页面。Gamekeeper 可能已升级。',
  },
  method_not_allowed: {
    title: '无法执行',
    about: '此地址不支持该操作。',
    resolution: '请重新加载页面。Gamekeeper 可能已升级。',
  },
  request_timeout: {
    title: '传输超时',
    about: '请求没有及时完整到达。',
    resolution: '请重试，最好使用更快的网络连接。',
  },
  version_not_found: {
    title: '找不到版本',
    about: '提供方没有此版本，或此版本没有服务器端。',
    resolution: '请从列表中选择版本。',
  },
  software_not_found: {
    title: '找不到软件',
    about: '没有此软件，或没有提供方列出它的版本。',
    resolution: '请从列表中选择软件。',
  },
  runtime_not_found: {
    title: '找不到 Java',
    about: '未安装此版本的 Java。',
    resolution: '请在“Java”页面中选择一个。',
  },
  mod_not_found: {
    title: '找不到模组',
    about: 'Modrinth 或此服务器没有该模组或插件。',
    resolution: '请重新搜索，或从列表中选择。',
  },
  mods_unsupported: {
    title: '不支持模组',
    about: '此服务器的软件既不支持模组也不支持插件。',
    resolution: '请使用 Paper、Fabric 等支持的软件的服务器。',
  },
  mod_conflict: {
    title: '模组不兼容',
    about: '某个模组或插件与其他的不兼容、需要无法获得的模组，或正被其他模组需要。没有进行任何更改。',
    resolution: '请移除或更新下方提到的模组。',
  },
  software_exists: {
    title: '此类型已存在',
    about: '已有同名的类型，或同名文件已存在。',
    resolution: '请修改文件中的“kind”，或先移除另一个类型。',
  },
  software_in_use: {
    title: '类型正在使用',
    about: '有服务器或其他类型需要此类型。',
    resolution: '请先删除这些服务器，或更改它们的软件。',
  },
  runtime_in_use: {
    title: 'Java 正在使用',
    about: '有服务器正在使用此版本的 Java，或正在用它安装。',
    resolution: '请为这些服务器选择其他 Java 版本并重启它们。',
  },
  invalid_state: {
    title: '当前状态下无法执行',
    about: '服务器当前的状态不允许此操作。',
    resolution: '请查看服务器的状态，然后重试。',
  },
  backup_in_progress: { title: '正在备份', about: '服务器正在备份。', resolution: '请等待备份完成。' },
  port_in_use: {
    title: '端口被占用',
    about: '其他程序或服务器正在使用此端口。',
    resolution: '请停止该程序，或为服务器选择其他端口。',
  },
  eula_not_accepted: {
    title: '未接受 EULA',
    about: '尚未接受该软件的许可协议。',
    resolution: '请阅读 EULA，并在服务器的设置中接受。',
  },
  instance_exists: {
    title: '服务器已存在',
    about: '其他服务器已使用此 ID 或文件夹。',
    resolution: '请选择其他 ID 或文件夹。',
  },
  file_exists: {
    title: '文件已存在',
    about: '此路径下已有文件或文件夹。',
    resolution: '请选择其他路径，或先删除已有的内容。',
  },
  daemon_taken: {
    title: '已关联到其他账户',
    about: '这台电脑已关联到该代理的其他账户。',
    resolution: '请在那个账户中移除它，然后重新关联。',
  },
  user_exists: {
    title: '用户已存在',
    about: '其他用户已使用此名称。名称不区分大小写。',
    resolution: '请选择其他名称。',
  },
  last_administrator: {
    title: '最后一位管理员',
    about: '这样就没有管理员了。',
    resolution: '请先将其他用户设为管理员。',
  },
  own_account: {
    title: '您自己的账户',
    about: '您不能移除、停用或降级当前登录的账户。',
    resolution: '请让其他管理员来操作。',
  },
  already_in_progress: { title: '正在进行', about: '相同的任务已在运行。', resolution: '请等待它完成。' },
  precondition_failed: {
    title: '内容已被更改',
    about: '其他人在此期间更改了它。',
    resolution: '请重新加载，然后再次进行更改。',
  },
  body_too_large: { title: '内容过大', about: '发送的数据超过了上限。', resolution: '请减少一次发送的内容。' },
  unsupported_media_type: {
    title: '格式不受支持',
    about: '发送的数据格式不正确。',
    resolution: '请重新加载页面，然后重试。',
  },
  range_not_satisfiable: {
    title: '范围不存在',
    about: '请求的部分超出了文件末尾。',
    resolution: '请重新下载整个文件。',
  },
  command_rejected: {
    title: '命令被拒绝',
    about: '游戏服务器报告命令执行失败。',
    resolution: '请查看下方服务器的回复。',
  },
  backup_damaged: {
    title: '备份已损坏',
    about: '存档的校验和或结构有误。服务器的文件未被改动。',
    resolution: '请使用其他备份。',
  },
  decryption_failed: {
    title: '无法解密',
    about: '备份副本使用的加密密钥与设置中的不同。',
    resolution: '请设置创建副本时使用的密钥或口令。',
  },
  launch_failed: {
    title: '无法启动',
    about: '服务器的程序无法启动。',
    resolution: '请检查启动命令，以及该程序是否存在并可执行。',
  },
  installation_failed: {
    title: '无法安装',
    about: '安装程序失败，或无法在这台电脑上运行。',
    resolution: '请在控制台查看其输出。可以重试或选择其他版本。',
  },
  store_refused: {
    title: '存储位置拒绝访问',
    about: '备份副本存储位置的凭据、主机密钥、存储桶、文件夹或权限有误。',
    resolution: '请在“存储”页面更正该存储位置并进行测试。',
  },
  proxy_refused: {
    title: '代理拒绝连接',
    about: '该地址不是 Gamekeeper 代理，或代理不接受这台电脑。',
    resolution: '请检查地址，或询问代理的运营者。',
  },
  rate_limited: {
    title: '请求过多',
    about: '请求过多，或登录失败次数过多。',
    resolution: '请稍等片刻再重试。',
  },
  headers_too_large: {
    title: '请求过大',
    about: '请求的地址和标头总长度过长。',
    resolution: '请清除此网站的 Cookie 并重新登录。',
  },
  internal_error: {
    title: '内部错误',
    about: 'Gamekeeper 无法处理该请求。',
    resolution: '请重试。如果仍然失败，请在日志文件中查找请求 ID。',
  },
  rcon_unavailable: {
    title: '游戏服务器没有应答',
    about: '游戏服务器没有及时应答。',
    resolution: '请检查服务器是否正在运行，以及 RCON 设置是否正确。',
  },
  store_unavailable: {
    title: '存储位置不可用',
    about: '备份副本存储位置没有应答、断开了连接，或没有保存数据。',
    resolution: '请检查这台电脑能否连接到它。副本会自动重试。',
  },
  vendor_unavailable: {
    title: '提供方不可用',
    about: '软件或 Java 的提供方没有应答，或发送的内容与声明不符。',
    resolution: '请检查这台电脑的网络连接，然后重试。',
  },
  worker_unavailable: {
    title: '进程没有应答',
    about: '负责此操作的 Gamekeeper 进程没有应答。',
    resolution: '请稍后重试。',
  },
  daemon_unavailable: {
    title: 'Gamekeeper 没有应答',
    about: 'Gamekeeper 服务没有应答。',
    resolution: '请稍后重试。如果仍然失败，请重启 Gamekeeper。',
  },
  proxy_unavailable: {
    title: '代理不可用',
    about: '代理或其数据库没有应答。',
    resolution: '请稍后重试。如果仍然失败，请检查这台电脑能否连接到它。',
  },
  shutting_down: {
    title: 'Gamekeeper 正在关闭',
    about: 'Gamekeeper 暂不接受请求。',
    resolution: '请在它重新运行后重试。',
  },
  insufficient_storage: {
    title: '磁盘已满',
    about: '可用磁盘空间不足。',
    resolution: '请释放磁盘空间，或选择其他备份文件夹。',
  },
} satisfies ProblemTexts;
