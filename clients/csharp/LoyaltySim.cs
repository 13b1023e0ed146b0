// Gives each test a retailer of its own in loyalty-sim, and judges its client when the test has ended.
//
//     public class TillTest : LoyaltySimTest
//     {
//         [Fact]
//         public void SendsAReceiptAgain()
//         {
//             Tenant.Faults.Add("{'match': {'endpoint': 'createReceipt'}, 'fault': ['504']}");
//             new Till(Tenant.Url).Send(receipt);
//         }
//     }
//
// xUnit creates the class for each test and disposes of it at the end, when the verdict is asked for. With other frameworks
// open a tenant yourself: LoyaltySim.OpenTenant("name"), and tenant.Judge() at the end. The tests share one simulator: that
// of "loyalty-sim exec -- dotnet test", or one that is started with the first test and ends with this process. JSON is given
// as text, where single quotes may stand for double ones. It needs C# 7 and .NET Framework 4.6 or .NET Core, and nothing
// else. Licence: MIT.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

/// <summary>Is the base class of tests with a tenant each.</summary>
public abstract class LoyaltySimTest : IDisposable
{
    private LoyaltySim.Tenant tenant;

    /// <summary>Lists the verdicts that pass.</summary>
    protected IList<string> Accept { get; set; } = new[] { "PASS" };

    /// <summary>Says that the client does nothing more once its test has ended.</summary>
    protected bool ClientEnded { get; set; } = true;

    /// <summary>Holds options of the tenant, as "{'now': '2026-03-01T12:00:00Z'}"; set it before the tenant is used.</summary>
    protected string TenantOptions { get; set; } = "{}";

    /// <summary>Is a retailer for this test alone.</summary>
    protected LoyaltySim.Tenant Tenant =>
        tenant ?? (tenant = LoyaltySim.OpenTenant(GetType().Name, TenantOptions));

    /// <summary>Throws for a verdict that is not accepted, which fails the test.</summary>
    public virtual void Dispose()
    {
        tenant?.Judge(Accept, ClientEnded);
    }
}

/// <summary>Holds the simulator that all tests share, and opens tenants of it.</summary>
public static class LoyaltySim
{
    /// <summary>Sets the command of the simulator; set it before the first test.</summary>
    public static string Command { get; set; } =
        (Path.DirectorySeparatorChar == '\\' ? "npx.cmd" : "npx") + " --no-install loyalty-sim";

    /// <summary>Sets options of start, as "--now 2026-03-01T12:00:00Z".</summary>
    public static string Options { get; set; } = "";

    private static readonly Lazy<Simulator> Shared = new Lazy<Simulator>(Simulator.Open);

    /// <summary>Opens a tenant, whose name begins with this one.</summary>
    public static Tenant OpenTenant(string name, string options = "{}")
    {
        var stem = Regex.Replace(name, "[^A-Za-z0-9]+", "-").Trim('-');
        if (stem.Length > 40) stem = stem.Substring(0, 40);
        var whole = (stem == "" ? "test" : stem) + "-" + Guid.NewGuid().ToString("N").Substring(0, 8);
        var sent = Json.Object(Json.WithDoubleQuotes(options));
        sent["name"] = whole;
        Shared.Value.Call("POST", "/tenants", Json.Write(sent));
        return new Tenant(Shared.Value, whole);
    }

    /// <summary>Is thrown at the end of a test whose client, or whose faults, did not do what they should.</summary>
    public sealed class VerdictException : Exception
    {
        internal VerdictException(string message) : base(message) { }
    }

    /// <summary>Is thrown when the simulator cannot be started or refuses a call; its text names every mistake.</summary>
    public sealed class SimulatorException : Exception
    {
        internal SimulatorException(string message, int status = 0) : base(message) => Status = status;

        /// <summary>Holds the status of the response; 0 if there was none.</summary>
        public int Status { get; }
    }

    /// <summary>Is a retailer for one test alone: data, clock, faults, requests and verdict are its own.</summary>
    public sealed class Tenant
    {
        private readonly Simulator simulator;

        internal Tenant(Simulator simulator, string name)
        {
            this.simulator = simulator;
            Name = name;
        }

        public string Name { get; }

        /// <summary>Holds the base URL for the client; /api/v3/… comes behind it.</summary>
        public string Url => simulator.Url + "/t/" + Name;

        /// <summary>Holds a key that the service accepts.</summary>
        public string ApiKey => Environment.GetEnvironmentVariable("LOYALTY_SIM_API_KEY") ?? "loyalty-sim";

        public Faults Faults => new Faults(this);

        public Clock Clock => new Clock(this);

        /// <summary>Calls the control API for this tenant, as Call("GET", "/webhooks?wait=5s"), and returns JSON.</summary>
        public string Call(string method, string path, string json = null) =>
            simulator.Call(method, path + (path.Contains("?") ? "&" : "?") + "tenant=" + Name, json);

        /// <summary>Returns its requests, the oldest first: each with endpoint, status and the fault that hit it.</summary>
        public IList<IDictionary<string, object>> Requests()
        {
            var found = new List<IDictionary<string, object>>();
            while (true)
            {
                var page = Json.Object(Call("GET", "/requests?limit=1000&offset=" + found.Count));
                var items = (IList<object>)page["items"];
                found.AddRange(items.Cast<IDictionary<string, object>>());
                if (items.Count == 0 || found.Count >= (double)page["count"]) return found;
            }
        }

        /// <summary>Judges how its client retried; clientEnded says that it does nothing more.</summary>
        public IDictionary<string, object> Verdict(bool clientEnded = false) =>
            Json.Object(Call("GET", "/verdict?clientEnded=" + (clientEnded ? "true" : "false")));

        /// <summary>Returns everything known of a contact, by id or member number.</summary>
        public IDictionary<string, object> Contact(string id) =>
            Json.Object(Call("GET", "/contacts/" + Uri.EscapeDataString(id) + "/card"));

        /// <summary>Applies a scenario: as JSON, or a built-in one by its name in quotes.</summary>
        public void ApplyScenario(string json) => Call("PUT", "/scenario", json);

        /// <summary>Resets it to its start.</summary>
        public void Reset() => Call("POST", "/reset");

        /// <summary>Deletes it.</summary>
        public void Close() => simulator.Call("DELETE", "/tenants/" + Name);

        /// <summary>Throws VerdictException for a verdict that is not accepted (default: PASS alone), and deletes the tenant.</summary>
        public void Judge(IEnumerable<string> accept = null, bool clientEnded = true)
        {
            var accepted = (accept ?? new[] { "PASS" }).ToList();
            foreach (var one in accepted.Except(new[] { "PASS", "FAIL", "INCONCLUSIVE" }))
                throw new ArgumentException("accept: \"" + one + "\": expected some of PASS, FAIL, INCONCLUSIVE");
            IDictionary<string, object> verdict;
            try
            {
                verdict = Verdict(clientEnded);
            }
            catch (SimulatorException error) when (error.Status == 404)
            {
                // A test may delete its tenant.
                return;
            }
            var status = (string)verdict["verdict"];
            var failure = IsIdle(verdict) || accepted.Contains(status) ? null : Explain(status, clientEnded);
            // Under exec it stays, to be reported, unless it would fail there what is accepted here.
            if (!(simulator.IsShared && (failure != null || status == "PASS"))) Close();
            if (failure != null) throw new VerdictException(failure);
        }

        /// <summary>Returns whether nothing was sent, and nothing was to go wrong or is expected.</summary>
        private bool IsIdle(IDictionary<string, object> verdict)
        {
            var rules = (IList<object>)verdict["rules"];
            if ((double)verdict["requests"] + (double)verdict["evicted"] + rules.Count > 0) return false;
            var scenario = (IDictionary<string, object>)Json.Object(Call("GET", "/scenario"))["scenario"];
            return !scenario.TryGetValue("expectations", out var expected) || ((IList<object>)expected).Count == 0;
        }

        private string Explain(string status, bool clientEnded)
        {
            var text = Call("GET", "/verdict?as=text&clientEnded=" + (clientEnded ? "true" : "false"));
            return "the verdict on tenant " + Name + " is " + status + "\n" + text.TrimEnd();
        }
    }

    /// <summary>Are the faults that hit the requests of one tenant.</summary>
    public sealed class Faults
    {
        private readonly Tenant tenant;

        internal Faults(Tenant tenant) => this.tenant = tenant;

        /// <summary>Adds a rule before all others, and returns its id. A rule that never fires fails the test.</summary>
        public string Add(string rule) => (string)Json.Object(tenant.Call("POST", "/faults", rule))["id"];

        /// <summary>Deletes the rules that were added, and releases the requests that a fault holds up.</summary>
        public void Clear() => tenant.Call("DELETE", "/faults");
    }

    /// <summary>Is the clock of one tenant.</summary>
    public sealed class Clock
    {
        private readonly Tenant tenant;

        internal Clock(Tenant tenant) => this.tenant = tenant;

        /// <summary>Returns the time, as 2026-03-01T12:00:00.000Z.</summary>
        public string Now() => (string)Json.Object(tenant.Call("GET", "/clock"))["now"];

        /// <summary>Lets this much time pass (30d, 15m), and waits for all work that is due by then.</summary>
        public void Advance(string duration) => tenant.Call("POST", "/clock", "{\"advance\":" + Json.Quote(duration) + "}");

        /// <summary>Sets the clock, and waits for all work that is due by then.</summary>
        public void Set(string timestamp) => tenant.Call("POST", "/clock", "{\"set\":" + Json.Quote(timestamp) + "}");

        /// <summary>Stops the clock.</summary>
        public void Freeze() => tenant.Call("POST", "/clock", "{\"freeze\":true}");

        /// <summary>Lets the clock run on from where it stands.</summary>
        public void Resume() => tenant.Call("POST", "/clock", "{\"resume\":true}");
    }

    /// <summary>Is a running simulator. One that was started here stops with its standard input, and so with this process.</summary>
    internal sealed class Simulator
    {
        // No proxy of the machine is asked.
        private readonly HttpClient http = new HttpClient(new HttpClientHandler { UseProxy = false });
        private readonly string adminUrl;
        private readonly Process process;

        private Simulator(string url, string adminUrl, Process process)
        {
            Url = url.TrimEnd('/');
            this.adminUrl = adminUrl.TrimEnd('/');
            this.process = process;
        }

        internal string Url { get; }

        internal bool IsShared => process == null;

        /// <summary>Returns the simulator of exec, or starts one.</summary>
        internal static Simulator Open()
        {
            var url = Environment.GetEnvironmentVariable("LOYALTY_SIM_URL");
            if (string.IsNullOrEmpty(url)) return Start();
            return new Simulator(url, Environment.GetEnvironmentVariable("LOYALTY_SIM_ADMIN_URL") ?? url + "/__admin", null);
        }

        private static Simulator Start()
        {
            var command = Regex.Match(Command, "^(?:\"([^\"]*)\"|(\\S+))\\s*(.*)$");
            var program = command.Groups[1].Success ? command.Groups[1].Value : command.Groups[2].Value;
            var fixedOptions = " start --port 0 --json --log silent --stop-with-stdin ";
            var advice = "; install the package, or name its command: LoyaltySim.Command = …";
            var process = new Process
            {
                StartInfo = new ProcessStartInfo(program, command.Groups[3].Value + fixedOptions + Options)
                {
                    UseShellExecute = false,
                    RedirectStandardInput = true,
                    RedirectStandardOutput = true,
                    RedirectStandardError = true,
                },
            };
            try
            {
                process.Start();
            }
            catch (Exception error)
            {
                throw new SimulatorException(Command + " start: " + error.Message + advice);
            }
            var errors = process.StandardError.ReadToEndAsync();
            var line = process.StandardOutput.ReadLine() ?? "";
            if (!line.StartsWith("{\"event\":\"ready\"", StringComparison.Ordinal))
            {
                process.StandardInput.Close();
                throw new SimulatorException(
                    Command + " start did not become ready" + advice + "\n" + (line + "\n" + errors.Result).Trim());
            }
            // Whatever else it prints must not fill the pipe.
            process.StandardOutput.ReadToEndAsync();
            var ready = Json.Object(line);
            return new Simulator((string)ready["url"], (string)ready["adminUrl"], process);
        }

        /// <summary>Calls the control API and returns what it responds.</summary>
        internal string Call(string method, string path, string json = null)
        {
            using (var request = new HttpRequestMessage(new HttpMethod(method), adminUrl + path))
            {
                if (json != null)
                    request.Content = new StringContent(Json.WithDoubleQuotes(json), Encoding.UTF8, "application/json");
                var adminKey = Environment.GetEnvironmentVariable("LOYALTY_SIM_ADMIN_KEY");
                if (!string.IsNullOrEmpty(adminKey)) request.Headers.Add("x-sim-admin-key", adminKey);
                // Not on the thread of the test, whose context may allow one task at a time.
                using (var response = Task.Run(() => http.SendAsync(request)).GetAwaiter().GetResult())
                {
                    var status = (int)response.StatusCode;
                    var body = Task.Run(() => response.Content.ReadAsStringAsync()).GetAwaiter().GetResult();
                    if (status < 300) return body;
                    throw new SimulatorException(method + " " + path + ": " + status + ": " + MistakesIn(body), status);
                }
            }
        }

        private static string MistakesIn(string body)
        {
            try
            {
                var error = Json.Object(body);
                if (!error.ContainsKey("validationErrors")) return (string)error["message"];
                var mistakes = ((IList<object>)error["validationErrors"]).Cast<IDictionary<string, object>>();
                return string.Join("; ", mistakes.Select(one => one["field"] + " " + one["errorDescription"]));
            }
            catch (Exception)
            {
                return body;
            }
        }
    }

    /// <summary>Reads and writes JSON: as IDictionary, IList, string, double, bool and null.</summary>
    public sealed class Json
    {
        private readonly string text;
        private int at;

        private Json(string text) => this.text = text;

        /// <summary>Reads a JSON text. Throws FormatException for what is none, with the place.</summary>
        public static object Parse(string text)
        {
            var reader = new Json(text);
            var value = reader.Value();
            reader.SkipSpace();
            if (reader.at < text.Length) throw reader.Unexpected();
            return value;
        }

        /// <summary>Writes a value as JSON.</summary>
        public static string Write(object value)
        {
            if (value == null) return "null";
            if (value is bool) return (bool)value ? "true" : "false";
            if (value is string) return Quote((string)value);
            var members = value as IDictionary<string, object>;
            if (members != null)
                return "{" + string.Join(",", members.Select(one => Quote(one.Key) + ":" + Write(one.Value))) + "}";
            var items = value as IList<object>;
            if (items != null) return "[" + string.Join(",", items.Select(Write)) + "]";
            return ((IFormattable)value).ToString("R", CultureInfo.InvariantCulture);
        }

        internal static IDictionary<string, object> Object(string text) => (IDictionary<string, object>)Parse(text);

        internal static string Quote(string text)
        {
            var quoted = new StringBuilder("\"");
            foreach (var one in text)
            {
                if (one == '"' || one == '\\') quoted.Append('\\').Append(one);
                else if (one < ' ') quoted.Append("\\u" + ((int)one).ToString("x4"));
                else quoted.Append(one);
            }
            return quoted.Append('"').ToString();
        }

        /// <summary>Lets a text without any double quote have single ones in their place, which need no escape.</summary>
        internal static string WithDoubleQuotes(string json) => json.Contains("\"") ? json : json.Replace('\'', '"');

        private object Value()
        {
            SkipSpace();
            var next = Peek();
            if (next == '{') return Members();
            if (next == '[') return Items();
            if (next == '"') return String();
            var word = Regex.Match(text.Substring(at), "^[-+.\\w]*").Value;
            var read = Literal(word);
            at += word.Length;
            return read;
        }

        private object Literal(string word)
        {
            if (word == "null") return null;
            if (word == "true" || word == "false") return word == "true";
            if (!Regex.IsMatch(word, "^-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?$")) throw Unexpected();
            return double.Parse(word, CultureInfo.InvariantCulture);
        }

        private IDictionary<string, object> Members()
        {
            var members = new Dictionary<string, object>();
            at++;
            while (!IsAt('}', members.Count == 0))
            {
                SkipSpace();
                var name = String();
                SkipSpace();
                Expect(':');
                members[name] = Value();
            }
            return members;
        }

        private IList<object> Items()
        {
            var items = new List<object>();
            at++;
            while (!IsAt(']', items.Count == 0)) items.Add(Value());
            return items;
        }

        /// <summary>Passes the end of a list, or the comma before its next item.</summary>
        private bool IsAt(char end, bool isFirst)
        {
            SkipSpace();
            if (Peek() == end)
            {
                at++;
                return true;
            }
            if (!isFirst) Expect(',');
            return false;
        }

        private string String()
        {
            Expect('"');
            var read = new StringBuilder();
            while (Peek() != '"')
            {
                var next = text[at++];
                read.Append(next == '\\' ? Escaped() : next);
            }
            at++;
            return read.ToString();
        }

        private char Escaped()
        {
            var kind = Peek();
            at++;
            var simple = "\"\\/bfnrt".IndexOf(kind);
            if (simple >= 0) return "\"\\/\b\f\n\r\t"[simple];
            if (kind != 'u' || at + 4 > text.Length) throw Unexpected();
            at += 4;
            return (char)int.Parse(text.Substring(at - 4, 4), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
        }

        private char Peek() => at < text.Length ? text[at] : throw Unexpected();

        private void Expect(char wanted)
        {
            if (Peek() != wanted) throw Unexpected();
            at++;
        }

        private void SkipSpace()
        {
            while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) at++;
        }

        private FormatException Unexpected() =>
            new FormatException(
                "JSON, at character " + at + ": unexpected " +
                (at < text.Length ? text.Substring(at, Math.Min(20, text.Length - at)) : "the end"));
    }
}
