// Tests of tills, some of which are to fail (test/clients/csharp.test.ts), and what xUnit does with them: a new object for
// each test, which is disposed of at its end.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Reflection;
using System.Text;

public class TillsTest : LoyaltySimTest
{
    const string Astrid = "5a0e7c1e-0001-4000-8000-000000000001";
    const string Outage = "{'id': 'outage', 'match': {'endpoint': 'countContacts'}, 'fault': ['504']}";

    // There is a proxy in the environment, which leads nowhere.
    static readonly HttpClient Http = new HttpClient(new HttpClientHandler { UseProxy = false });

    Tuple<int, string> Call(string path, string body = null)
    {
        var request = new HttpRequestMessage(body == null ? HttpMethod.Get : HttpMethod.Post, Tenant.Url + "/api/v3" + path);
        request.Headers.Add("apikey", Tenant.ApiKey);
        request.Headers.Add("user-agent", "till");
        if (body != null) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        var response = Http.SendAsync(request).Result;
        return Tuple.Create((int)response.StatusCode, response.Content.ReadAsStringAsync().Result);
    }

    static void Equal(object expected, object actual)
    {
        if (!Equals(expected, actual)) throw new Exception("expected " + expected + ", got " + actual);
    }

    public void Repeats()
    {
        Tenant.Faults.Add(Outage);
        Equal(504, Call("/contacts/count").Item1);
        Equal("40", Call("/contacts/count").Item2);
        Equal("504 200", string.Join(" ", Tenant.Requests().Select(one => one["status"])));
    }

    public void GivesUp()
    {
        Tenant.Faults.Add(Outage);
        Equal(504, Call("/contacts/count").Item1);
    }

    public void NeverMeetsItsFault()
    {
        Tenant.Faults.Add(Outage);
        Equal(200, Call("/stores").Item1);
    }

    public void SendsNothingExpected()
    {
        Tenant.ApplyScenario("{'expectations': [{'request': {'endpoint': 'createReceipt'}}]}");
    }

    public void GivesUpAndMay()
    {
        Accept = new[] { "FAIL" };
        Tenant.Faults.Add(Outage);
        Equal(504, Call("/contacts/count").Item1);
    }

    public void SeesItsOwnDataAlone()
    {
        Equal(201, Call("/contacts", "{\"contactType\": \"member\", \"email\": \"new@example.com\"}").Item1);
        Equal("41", Call("/contacts/count").Item2);
    }

    public void SeesItsOwnDataAgain() => SeesItsOwnDataAlone();

    public void MovesTheClock()
    {
        TenantOptions = "{'now': '2026-03-01T12:00:00Z'}";
        Tenant.Clock.Advance("14d");
        Equal("2026-03-15T12:00:00.000Z", Tenant.Clock.Now());
        var account = (IDictionary<string, object>)((IList<object>)Tenant.Contact(Astrid)["pointAccounts"])[0];
        Equal(0.0, account["pendingPoints"]);
    }

    public void NamesMistakes() => Tenant.Faults.Add("{'match': {'endpoint': 'countContact'}, 'fault': '504'}");

    public void DeletesItsTenant()
    {
        Tenant.Faults.Add(Outage);
        Tenant.Close();
    }

    public void MisspellsItsVerdict()
    {
        Accept = new[] { "pass" };
        Tenant.Clock.Now();
    }

    public void ReadsJson()
    {
        var text = "{\"a\":[1,-2.5,1E+20,true,null,\"\\u00e9\\n\\\"\"],\"b\":{},\"c\":[]}";
        Equal(LoyaltySim.Json.Write(LoyaltySim.Json.Parse(text)), text.Replace("\\u00e9\\n", "\u00e9\\u000a"));
        foreach (var wrong in new[] { "", "{", "[1,]", "{\"a\" 1}", "nul", "\"a", "1 2", "01x" })
        {
            try
            {
                LoyaltySim.Json.Parse(wrong);
            }
            catch (FormatException)
            {
                continue;
            }
            throw new Exception("read " + wrong);
        }
    }

    public static int Main(string[] args)
    {
        Console.OutputEncoding = Encoding.UTF8;
        if (args.Length > 0) LoyaltySim.Command = args[0];
        if (args.Length > 1) LoyaltySim.Options = args[1];
        var own = BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly;
        foreach (var test in typeof(TillsTest).GetMethods(own))
        {
            var errors = new List<string>();
            var tests = new TillsTest();
            foreach (var step in new Action[] { () => test.Invoke(tests, null), tests.Dispose })
            {
                try
                {
                    step();
                }
                catch (Exception error)
                {
                    errors.Add((error is TargetInvocationException ? error.InnerException : error).Message);
                }
            }
            Console.WriteLine((errors.Count == 0 ? "✔ " : "✘ ") + test.Name);
            foreach (var error in errors) Console.WriteLine(error);
        }
        return 0;
    }
}
