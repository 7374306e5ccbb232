-- Asks the check of Latchkey about a request. Needs HAProxy 2.5 or newer.

-- Headers of the answer which the application gets. Each answer has all of them.
local copied = {
  "latchkey-sub",
  "latchkey-email",
  "latchkey-name",
  "latchkey-groups",
  "latchkey-access-token",
  "latchkey-connection",
  "cookie",
}

-- Headers of the request that are not for the check.
local skipped = {
  ["host"] = true,
  ["connection"] = true,
  ["content-length"] = true,
  ["transfer-encoding"] = true,
  ["expect"] = true,
  ["te"] = true,
  ["upgrade"] = true,
  ["x-forwarded-method"] = true,
  ["x-forwarded-host"] = true,
  ["x-forwarded-uri"] = true,
}

-- HAProxy numbers the values of a header from 0, its HTTP client from 1.
local function listOf(values)
  local list = {}
  for index = 0, #values do
    list[#list + 1] = values[index]
  end
  return list
end

local function question(txn)
  local headers = {}
  for name, values in pairs(txn.http:req_get_headers()) do
    if not skipped[name] then headers[name] = listOf(values) end
  end
  headers["x-forwarded-method"] = { txn.sf:method() }
  headers["x-forwarded-host"] = { txn.sf:req_hdr("host") }
  headers["x-forwarded-uri"] = { txn.sf:pathq() }
  return headers
end

-- Bytes: less than tune.bufsize, with the headers. A larger answer would be a 500 of HAProxy.
local largestPage = 60000

local function refuse(txn, status, headers, body)
  if #body > largestPage then body = "" end
  local reply = txn:reply({ status = status, body = body })
  for name, values in pairs(headers) do
    if name ~= "content-length" and name ~= "connection" and name ~= "transfer-encoding" then
      for _, value in pairs(values) do
        reply:add_header(name, value)
      end
    end
  end
  txn:done(reply)
end

core.register_action("check", { "http-req" }, function(txn, url)
  local answer = core.httpclient():get({ url = url, headers = question(txn), timeout = 5000 })
  if answer == nil or answer.status == nil or answer.status == 0 then
    return refuse(txn, 503, {}, "Sign-in does not answer.\n")
  end
  if answer.status ~= 200 then
    return refuse(txn, answer.status, answer.headers, answer.body)
  end
  for _, name in ipairs(copied) do
    local value = answer.headers[name] and answer.headers[name][0] or ""
    if value == "" then
      txn.http:req_del_header(name)
    else
      txn.http:req_set_header(name, value)
    end
  end
  local session = answer.headers["set-cookie"]
  if session then txn:set_var("txn.session", session[0]) end
end, 1)
