@echo off
rem Drop schedules on this file. Each is imported for practice; nothing is booked.
setlocal DisableDelayedExpansion
chcp 65001 >nul
title tripimport: rehearse
if "%~1"=="" goto nothing
:next
echo Rehearsing "%~nx1"
"%~dp0tripimport.exe" import --sandbox "%~f1"
echo.
shift
if not "%~1"=="" goto next
goto end
:nothing
echo Drop a schedule, CSV or Excel, on this file.
:end
if not defined TRIPIMPORT_NO_PAUSE pause
